using System.Runtime.ExceptionServices;

namespace Postrider.Load.Runs;

/// <summary>Threads that work on one run: the first failure stops the others and is what the caller sees.</summary>
internal sealed class Team : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly List<Thread> _threads = [];
    private ExceptionDispatchInfo? _failure;

    /// <summary>One of the threads has failed; <see cref="Join"/> says why.</summary>
    public bool Failed => Volatile.Read(ref _failure) is not null;

    public void Start(string name, Action<CancellationToken> work)
    {
        var thread = new Thread(() =>
        {
            try
            {
                work(_stop.Token);
            }
            catch (Exception e)
            {
                // The others end with a cancellation, which must not hide the reason.
                if (e is not OperationCanceledException)
                    Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(e), null);
                _stop.Cancel();
            }
        })
        { Name = name, IsBackground = true };
        _threads.Add(thread);
        thread.Start();
    }

    public void Stop() => _stop.Cancel();

    /// <summary>Waits for all of them.</summary>
    public void Join()
    {
        foreach (var thread in _threads)
            thread.Join();
        _failure?.Throw();
    }

    /// <summary>Stops the threads that are still running, and waits for them.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        foreach (var thread in _threads)
            thread.Join();
        _stop.Dispose();
    }
}
