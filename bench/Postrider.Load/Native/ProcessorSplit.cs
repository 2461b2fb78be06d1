using System.Numerics;
using System.Runtime.InteropServices;

namespace Postrider.Load.Native;

/// <summary>The processors of this process in two halves, so that two processes do not take processor time from each other.</summary>
/// <remarks>A process inherits the processors of the thread that starts it. A thread does not: the runtime gives it those of its process.</remarks>
internal sealed unsafe class ProcessorSplit
{
    // 1,024 processors, the size of the C library's own set.
    private const int Words = 16;

    private readonly ulong[] _first = new ulong[Words];
    private readonly ulong[] _second = new ulong[Words];

    /// <exception cref="LoadException">There is only one processor.</exception>
    public ProcessorSplit()
    {
        var all = new ulong[Words];
        fixed (ulong* mask = all) Check(Posix.GetAffinity(0, Words * sizeof(ulong), mask));
        var count = all.Sum(BitOperations.PopCount);
        if (count < 2)
            throw new LoadException("--separate wants two processors or more; this process may use one.");
        for (var (i, seen) = (0, 0); i < Words * 64; i++)
        {
            var bit = all[i / 64] & (1UL << (i % 64));
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
