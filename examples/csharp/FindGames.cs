// SPDX-License-Identifier: MIT
// Finds games of an archive by a query (doc/reference/search.md). Prints the number of each game and the plies of its match.
//
// usage: FindGames ARCHIVE QUERY     compiled with <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

internal static unsafe class FindGames
{
    [StructLayout(LayoutKind.Sequential)]
    private struct StammaText
    {
        public byte* Data;
        public nuint Size;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct StammaBytes
    {
        public ulong Size;
        public byte* Memory;
        public void* Context;
        public void* ReadAt;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct StammaMatch
    {
        public ulong Game;
        public nuint PlyCount;
        public uint* Plies;
    }

    [DllImport("stamma")]
    private static extern IntPtr stamma_error_text(uint error);

    [DllImport("stamma")]
    private static extern uint stamma_archive_open(in StammaBytes bytes, IntPtr options, out IntPtr archive);

    [DllImport("stamma")]
    private static extern void stamma_archive_close(IntPtr archive);

    [DllImport("stamma")]
    private static extern uint stamma_query_parse(StammaText json, IntPtr allocator, IntPtr problem, out IntPtr query);

    [DllImport("stamma")]
    private static extern void stamma_query_close(IntPtr query);

    [DllImport("stamma")]
    private static extern uint stamma_search_open(IntPtr archive, IntPtr query, IntPtr options, out IntPtr search);

    [DllImport("stamma")]
    private static extern uint stamma_search_next(IntPtr search, out StammaMatch* match);

    [DllImport("stamma")]
    private static extern void stamma_search_close(IntPtr search);

    private static void Check(uint error)
    {
        if (error != 0)
            throw new InvalidOperationException(Marshal.PtrToStringUTF8(stamma_error_text(error)));
    }

    private static void Find(IntPtr archive, IntPtr query)
    {
        Check(stamma_search_open(archive, query, IntPtr.Zero, out IntPtr search));
        try
        {
            for (;;)
            {
                Check(stamma_search_next(search, out StammaMatch* match));
                if (match == null)
                    return;
                StringBuilder line = new StringBuilder().Append(match->Game);
                for (nuint i = 0; i < match->PlyCount; i++)
                    line.Append(' ').Append(match->Plies[i]);
                Console.WriteLine(line);
            }
        }
        finally
        {
            stamma_search_close(search);
        }
    }

    private static void Main(string[] arguments)
    {
        byte[] file = File.ReadAllBytes(arguments[0]), json = Encoding.UTF8.GetBytes(arguments[1]);
        // The library reads the archive at this address until it is closed.
        fixed (byte* memory = file, text = json)
        {
            IntPtr archive = IntPtr.Zero, query = IntPtr.Zero;
            try
            {
                Check(stamma_archive_open(new StammaBytes { Size = (ulong)file.Length, Memory = memory }, IntPtr.Zero, out archive));
                Check(stamma_query_parse(new StammaText { Data = text, Size = (nuint)json.Length }, IntPtr.Zero, IntPtr.Zero, out query));
                Find(archive, query);
            }
            finally
            {
                stamma_query_close(query);
                stamma_archive_close(archive);
            }
        }
    }
}
