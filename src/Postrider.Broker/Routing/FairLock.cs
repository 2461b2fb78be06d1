using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Postrider.Broker.Routing;

/// <summary>A lock whose waiters get it after about a millisecond.</summary>
/// <remarks>
/// A thread that releases a <see cref="Lock"/> and takes it again at once overtakes waiting threads for up to 100 ms. A loop would be blocked that
/// long, with all its connections, while another loop publishes to the same stream. Handing the lock over at each release would cost a context
/// switch per message, so a thread lets a waiter pass only after the waiter has waited for a millisecond. The lock is reentrant.
/// </remarks>
/// <param name="patience">The time after which other threads let a waiter pass.</param>
/// <param name="longestWait">The longest time for which a thread lets a waiter pass, which may have no processor.</param>
internal sealed class FairLock(TimeSpan patience, TimeSpan longestWait)
{
    private readonly Lock _lock = new();
    private readonly object _letPass = new(); // pulsed when a waiter has got the lock; taken after _lock, never before
    private int _waiting;
    private int _lettingPass;

    // The number of waiters that have got the lock.
    private int _passed;

    // When the first waiter began to wait, or when the last one got the lock.
    private long _since;

    /// <summary>Creates a lock that lets a waiter pass after a millisecond.</summary>
    public FairLock()
        : this(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(4))
    {
    }

    /// <summary>The number of threads that wait.</summary>
    public int Waiters => Volatile.Read(ref _waiting);

    /// <summary>Whether the calling thread has the lock.</summary>
    public bool IsHeldByCurrentThread => _lock.IsHeldByCurrentThread;

    /// <summary>Takes the lock until the scope is disposed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Scope Hold()
    {
        Enter();
        return new Scope(this);
    }

    /// <summary>Takes the lock if no other thread has it or waits for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnter() => Waiters == 0 && _lock.TryEnter();

    /// <summary>Takes the lock.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        if (!TryEnter()) EnterLater();
    }

    /// <summary>Releases the lock.</summary>
    public void Exit() => _lock.Exit();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnterLater()
    {
        if (_lock.IsHeldByCurrentThread)
        {
            _lock.Enter();
            return;
        }
        var passed = Volatile.Read(ref _passed);
        if (Waiters > 0 && Stopwatch.GetElapsedTime(Volatile.Read(ref _since)) > patience) LetPass(passed);
        if (_lock.TryEnter()) return;
        if (Waiters == 0) Volatile.Write(ref _since, Stopwatch.GetTimestamp());
        Interlocked.Increment(ref _waiting);
        _lock.Enter();
        Volatile.Write(ref _since, Stopwatch.GetTimestamp());
        Interlocked.Decrement(ref _waiting);
        Interlocked.Increment(ref _passed);
        if (Volatile.Read(ref _lettingPass) == 0) return;
        lock (_letPass) Monitor.PulseAll(_letPass);
    }

    private void LetPass(int passed)
    {
        Interlocked.Increment(ref _lettingPass);
        lock (_letPass)
        {
            if (Volatile.Read(ref _passed) == passed) Monitor.Wait(_letPass, longestWait);
        }
        Interlocked.Decrement(ref _lettingPass);
    }

    /// <summary>Releases the lock when it is disposed.</summary>
    internal readonly ref struct Scope(FairLock held)
    {
        public void Dispose() => held.Exit();
    }
}
