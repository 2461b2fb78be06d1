using System.Collections.Concurrent;
using Postrider.Client;
using Postrider.Client.Sessions;

namespace Postrider.UnitTests.Client.Sessions;

/// <summary>Loops that process several messages concurrently.</summary>
public sealed class MessageWorkersTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    [InlineData(100)]
    public async Task Every_message_is_processed_once_and_no_more_than_allowed_at_once(int concurrency)
    {
        const int messages = 50_000;
        var (running, most) = (0, 0);
        var seen = new int[messages];
        var loop = new QueueLoop(concurrency, async message =>
        {
            InterlockedMax(ref most, Interlocked.Increment(ref running));
            Interlocked.Increment(ref seen[message]);
            // Some return at once, some later, and some fail at once or later.
            if (message % 3 == 0) await Task.Yield();
            Interlocked.Decrement(ref running);
            if (message % 101 == 0) throw new InvalidOperationException("planned");
        });
        var ends = loop.RunAsync(CancellationToken.None);

        for (var i = 0; i < messages; i++) loop.Write(i);
        loop.Queue.Complete();
        await ends.WaitAsync(s_limit, Cancelled);

        Assert.All(seen, static times => Assert.Equal(1, times));
        Assert.InRange(most, 1, concurrency);
        Assert.Equal(0, running);
        Assert.True(loop.HasLeft);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task As_many_as_allowed_are_processed_at_once_and_the_next_one_stays_with_the_reader(bool blocks)
    {
        const int concurrency = 4;
        using var begun = new CountdownEvent(concurrency);
        using var release = new ManualResetEventSlim();
        var released = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var loop = new QueueLoop(concurrency, async message =>
        {
            if (message >= concurrency) return;
            begun.Signal();
            if (blocks) release.Wait(s_limit, CancellationToken.None);
            else await released.Task;
        });
        var ends = loop.RunAsync(CancellationToken.None);
        for (var i = 0; i < concurrency; i++) loop.Write(i);

        // Each waits for all others to begin.
        Assert.True(begun.Wait(s_limit, Cancelled));
        loop.Write(concurrency);
        Assert.Equal(1, loop.Queue.Count);

        release.Set();
        released.SetResult();
        loop.Queue.Complete();
        await ends.WaitAsync(s_limit, Cancelled);
        Assert.Equal(0, loop.Queue.Count);
    }

    [Fact]
    public async Task Stop_while_all_are_busy_ends_the_taking_at_once_and_waits_for_the_busy_ones()
    {
        using var stop = new CancellationTokenSource();
        using var begun = new CountdownEvent(2);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var loop = new QueueLoop(2, async _ =>
        {
            begun.Signal();
            await release.Task;
        });
        var ends = loop.RunAsync(stop.Token);
        for (var i = 0; i < 3; i++) loop.Write(i);
        Assert.True(begun.Wait(s_limit, Cancelled));

        await stop.CancelAsync();
        await loop.Left.WaitAsync(s_limit, Cancelled);
        Assert.False(ends.IsCompleted);
        release.SetResult();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ends.WaitAsync(s_limit, Cancelled));
        Assert.Equal(1, loop.Queue.Count);
    }

    [Fact]
    public async Task Stop_while_one_waits_ends_the_loop()
    {
        using var stop = new CancellationTokenSource();
        var loop = new QueueLoop(2, static _ => default);
        var ends = loop.RunAsync(stop.Token);

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ends.WaitAsync(s_limit, Cancelled));
        Assert.True(loop.HasLeft);
    }

    [Fact]
    public async Task Failure_of_the_reader_is_that_of_the_loop()
    {
        var loop = new QueueLoop(2, static _ => default);
        var ends = loop.RunAsync(CancellationToken.None);

        loop.Queue.Complete(new InvalidDataException("gone"));

        Assert.Equal("gone", (await Assert.ThrowsAsync<InvalidDataException>(() => ends.WaitAsync(s_limit, Cancelled))).Message);
        Assert.True(loop.HasLeft);
    }

    [Fact]
    public async Task Failure_to_take_is_that_of_the_loop()
    {
        var loop = new QueueLoop(2, static _ => default) { Broken = new InvalidDataException("broken") };
        var ends = loop.RunAsync(CancellationToken.None);

        loop.Write(1);

        Assert.Equal("broken", (await Assert.ThrowsAsync<InvalidDataException>(() => ends.WaitAsync(s_limit, Cancelled))).Message);
        Assert.True(loop.HasLeft);
    }

    [Fact]
    public async Task Processing_does_not_hold_up_the_receiving_thread_that_wakes_inline()
    {
        using var second = new ManualResetEventSlim();
        var handled = new ConcurrentQueue<int>();
        var loop = new QueueLoop(
            2,
            message =>
            {
                // The first one blocks until the second one has been received and processed.
                if (message == 1) Assert.True(second.Wait(s_limit, CancellationToken.None));
                handled.Enqueue(message);
                if (message == 2) second.Set();
                return default;
            },
            isWokenInline: true);
        var ends = loop.RunAsync(CancellationToken.None);

        loop.Write(1);
        loop.Write(2);
        loop.Queue.Complete();
        await ends.WaitAsync(s_limit, Cancelled);

        Assert.Equal([2, 1], handled);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public async Task Without_a_concurrency_messages_are_processed_in_order(int concurrency)
    {
        var seen = new List<int>();
        var loop = new QueueLoop(concurrency, async message =>
        {
            await Task.Yield();
            seen.Add(message);
        });
        for (var i = 0; i < 100; i++) loop.Write(i);
        loop.Queue.Complete();

        await loop.RunAsync(CancellationToken.None).WaitAsync(s_limit, Cancelled);

        Assert.Equal(Enumerable.Range(0, 100), seen);
    }

    [Fact]
    public async Task Processing_has_the_async_locals_of_the_one_who_started_the_loop_and_keeps_its_own()
    {
        var local = new AsyncLocal<string?> { Value = "subscriber" };
        var seen = new ConcurrentBag<string?>();
        var loop = new QueueLoop(3, async message =>
        {
            seen.Add(local.Value);
            local.Value = "handler";
            if (message % 2 == 0) await Task.Yield();
        });
        var ends = loop.RunAsync(CancellationToken.None);
        local.Value = "writer";

        for (var i = 0; i < 1_000; i++) loop.Write(i);
        loop.Queue.Complete();
        await ends.WaitAsync(s_limit, Cancelled);

        Assert.Equal(1_000, seen.Count);
        Assert.All(seen, static value => Assert.Equal("subscriber", value));
    }

    [Fact]
    public async Task Processing_that_returns_completed_allocates_nothing()
    {
        const int messages = 10_000;
        var last = new ThreadLocal<long>();
        var between = new long[messages];
        var loop = new QueueLoop(4, message =>
        {
            // Of this thread, since its message before.
            var bytes = GC.GetAllocatedBytesForCurrentThread();
            between[message] = bytes - last.Value;
            last.Value = GC.GetAllocatedBytesForCurrentThread();
            return default;
        });
        for (var i = 0; i < messages; i++) loop.Write(i);
        loop.Queue.Complete();

        await loop.RunAsync(CancellationToken.None).WaitAsync(s_limit, Cancelled);

        // The first of each thread and of each turn have what the thread did before.
        Assert.Equal(0, between.Order().ElementAt(messages / 2));
    }

    private static void InterlockedMax(ref int most, int value)
    {
        for (var known = Volatile.Read(ref most); value > known;)
        {
            var found = Interlocked.CompareExchange(ref most, value, known);
            if (found == known) return;
            known = found;
        }
    }

    /// <summary>Processes what is written to a queue.</summary>
    private sealed class QueueLoop(int concurrency, Func<int, ValueTask> work, bool isWokenInline = false) : MessageLoop<int>(concurrency)
    {
        private readonly TaskCompletionSource _left = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public MessageQueue<int> Queue { get; } = new(int.MaxValue, SlowConsumerPolicy.Wait, isWokenInline);

        public override bool IsWokenInline => isWokenInline;

        public InvalidDataException? Broken { get; set; }

        public Task Left => _left.Task;

        public bool HasLeft => _left.Task.IsCompleted;

        public Task RunAsync(CancellationToken stop) => LoopAsync(stop, CancellationToken.None);

        public void Write(int message)
        {
            Queue.TryWrite(message, out var mustSignal);
            if (mustSignal) Queue.Signal();
        }

        public override async ValueTask<bool> WaitAsync(CancellationToken ct)
        {
            while (Queue.IsEmpty)
            {
                if (!await Queue.WaitAsync(ct).ConfigureAwait(false) && Queue.IsEmpty && Queue.IsCompleted) return false;
            }
            return true;
        }

        public override bool TryTake(out int message) => Broken is null ? Queue.TryRead(out message) : throw Broken;

        public override async ValueTask WorkAsync(int message, CancellationToken ct) => await work(message).ConfigureAwait(false);

        protected override ValueTask LeaveAsync()
        {
            _left.SetResult();
            return default;
        }
    }
}
