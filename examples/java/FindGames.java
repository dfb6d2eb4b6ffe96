// SPDX-License-Identifier: MIT
// Finds games of an archive by a query (doc/reference/search.md), with JNA. Prints the number of each game and the plies of its match.
//
// usage: java -cp jna.jar FindGames.java ARCHIVE QUERY
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

public class FindGames {
    /** stamma_text. */
    @Structure.FieldOrder({"data", "size"})
    public static class Text extends Structure implements Structure.ByValue {
        public Pointer data;
        public long size;

        public Text() {}

        Text(Memory memory) {
            data = memory;
            size = memory.size();
        }
    }

    /** stamma_bytes: an archive in memory. */
    @Structure.FieldOrder({"size", "memory", "context", "readAt"})
    public static class Bytes extends Structure {
        public long size;
        public Pointer memory;
        public Pointer context;
        public Pointer readAt;
    }

    /** stamma_match. */
    @Structure.FieldOrder({"game", "plyCount", "plies"})
    public static class Match extends Structure {
        public long game;
        public long plyCount;
        public Pointer plies;

        Match(Pointer address) {
            super(address);
            read();
        }

        @Override
        public String toString() {
            StringBuilder line = new StringBuilder(Long.toString(game));
            for (int i = 0; i < plyCount; i++)
                line.append(' ').append(plies.getInt(4L * i));
            return line.toString();
        }
    }

    /** The functions of the library that this program uses. */
    public interface Stamma extends Library {
        Stamma INSTANCE = Native.load("stamma", Stamma.class);

        String stamma_error_text(int error);
        int stamma_archive_open(Bytes bytes, Pointer options, PointerByReference archive);
        void stamma_archive_close(Pointer archive);
        int stamma_query_parse(Text json, Pointer allocator, Pointer problem, PointerByReference query);
        void stamma_query_close(Pointer query);
        int stamma_search_open(Pointer archive, Pointer query, Pointer options, PointerByReference search);
        int stamma_search_next(Pointer search, PointerByReference match);
        void stamma_search_close(Pointer search);
    }

    static void check(int error) {
        if (error != 0)
            throw new IllegalStateException(Stamma.INSTANCE.stamma_error_text(error));
    }

    static Memory copyOf(byte[] bytes) {
        Memory memory = new Memory(bytes.length);
        memory.write(0, bytes, 0, bytes.length);
        return memory;
    }

    static void find(Pointer archive, Pointer query) {
        PointerByReference search = new PointerByReference();
        check(Stamma.INSTANCE.stamma_search_open(archive, query, null, search));
        try {
            PointerByReference match = new PointerByReference();
            for (;;) {
                check(Stamma.INSTANCE.stamma_search_next(search.getValue(), match));
                if (match.getValue() == null)
                    return;
                System.out.println(new Match(match.getValue()));
            }
        } finally {
            Stamma.INSTANCE.stamma_search_close(search.getValue());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Memory file = copyOf(Files.readAllBytes(Path.of(arguments[0])));
        Memory json = copyOf(arguments[1].getBytes(StandardCharsets.UTF_8));
        Bytes bytes = new Bytes();
        bytes.size = file.size();
        bytes.memory = file;
        PointerByReference archive = new PointerByReference();
        PointerByReference query = new PointerByReference();
        check(Stamma.INSTANCE.stamma_archive_open(bytes, null, archive));
        try {
            check(Stamma.INSTANCE.stamma_query_parse(new Text(json), null, null, query));
            find(archive.getValue(), query.getValue());
        } finally {
            Stamma.INSTANCE.stamma_query_close(query.getValue());
            Stamma.INSTANCE.stamma_archive_close(archive.getValue());
        }
        file.close(); // after the archive, which uses this memory
    }
}
