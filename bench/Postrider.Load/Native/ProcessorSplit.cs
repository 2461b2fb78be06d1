using System.Globalization;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Postrider.Load.Native;

/// <summary>The processors of this process in two halves, so that two processes do not take processor time from each other.</summary>
/// <remarks>A process inherits the processors of the thread that starts it. A thread does not: the runtime gives it those that
/// its process began with, so a program whose threads shall all be on the first half is started again there (<see cref="Restart"/>).</remarks>
internal sealed unsafe class ProcessorSplit
{
    // 1,024 processors, the size of the C library's own set.
    private const int Words = 16;

    private readonly ulong[] _all = new ulong[Words];
    private readonly ulong[] _first = new ulong[Words];
    private readonly ulong[] _second = new ulong[Words];

    /// <summary>The halves of what this process may use.</summary>
    /// <exception cref="LoadException">There is only one processor.</exception>
    public ProcessorSplit()
    {
        fixed (ulong* mask = _all) Check(Posix.GetAffinity(0, Words * sizeof(ulong), mask));
        Halve();
    }

    /// <param name="all">The processors to halve, as <see cref="ToString"/> writes them.</param>
    /// <exception cref="LoadException">It is no such text, or there is only one processor.</exception>
    public ProcessorSplit(string all)
    {
        var words = all.Split(',');
        for (var i = 0; i < words.Length; i++)
        {
            if (i >= Words || !ulong.TryParse(words[i], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _all[i]))
                throw new LoadException($"'{all}' is no set of processors: up to {Words} hexadecimal numbers of 64 processors each, separated by commas, lowest first.");
        }

        Halve();
    }

    /// <summary>All processors, in hexadecimal words of 64, lowest first.</summary>
    public override string ToString() => string.Join(',', _all.Select(static word => word.ToString("x", CultureInfo.InvariantCulture)));

    /// <summary>Replaces this process by the same program with these arguments, whose threads are on the first half, all of them.</summary>
    /// <exception cref="LoadException">The system refuses; otherwise the method does not return.</exception>
    public void Restart(IEnumerable<string> arguments)
    {
        UseFirst();
        string[] all = [.. OwnProgram.Command, .. arguments];
        var texts = (byte**)NativeMemory.AllocZeroed((nuint)all.Length + 1, (nuint)sizeof(byte*));
        for (var i = 0; i < all.Length; i++)
            texts[i] = (byte*)Marshal.StringToCoTaskMemUTF8(all[i]);
        Check(Posix.Execute(all[0], texts));
    }

    private void Halve()
    {
        var count = _all.Sum(BitOperations.PopCount);
        if (count < 2)
            throw new LoadException("--separate wants two processors or more; this process may use one.");
        for (var (i, seen) = (0, 0); i < Words * 64; i++)
        {
            var bit = _all[i / 64] & (1UL << (i % 64));
            if (bit == 0)
                continue;
            (seen < count / 2 ? _first : _second)[i / 64] |= bit;
            seen++;
        }
    }

    /// <summary>Moves the calling thread, and the processes that it starts from now on, to the first half.</summary>
    public void UseFirst() => Use(_first);

    /// <summary>Starts a process on the second half; the calling thread is on the first one afterwards.</summary>
    public T StartOnSecond<T>(Func<T> start)
    {
        Use(_second);
        try
        {
            return start();
        }
        finally
        {
            Use(_first);
        }
    }

    private static void Use(ulong[] processors)
    {
        fixed (ulong* mask = processors) Check(Posix.SetAffinity(0, Words * sizeof(ulong), mask));
    }

    private static void Check(int result)
    {
        if (result < 0)
            throw new LoadException($"The processors cannot be chosen: {Marshal.GetLastPInvokeErrorMessage()}.");
    }
}
