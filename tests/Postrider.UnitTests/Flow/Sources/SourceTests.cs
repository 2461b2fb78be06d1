using System.Collections;
using System.Collections.Concurrent;
using System.Threading.Tasks.Sources;
using Postrider.Flow;

namespace Postrider.UnitTests.Flow.Sources;

/// <summary>Sources that block, change, or do not keep their word.</summary>
public class SourceTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task Items_are_run_though_the_source_blocks_before_the_next(int concurrency)
    {
        using var source = new BlockingCollection<int>();
        var ended = new int[3];
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        // On a thread of its own: reading blocks it.
        var task = Task.Factory.StartNew(
            () => source.GetConsumingEnumerable().ForEachParallelAsync((i, _) => End(i), new FlowOptions { MaxConcurrency = concurrency }),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap();

        for (var round = 0; round < ended.Length; round++)
        {
            for (var i = 0; i < 100; i++)
                source.Add(round);
            await all.Task.WaitAsync(Patience);
            all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Assert.Equal(100, ended[round]);
        }
        source.CompleteAdding();
        await task.WaitAsync(Patience);

        Assert.Equal([100, 100, 100], ended);

        ValueTask End(int round)
        {
            if (Interlocked.Increment(ref ended[round]) == 100)
                all.SetResult();
            return default;
        }
    }

    [Fact]
    public async Task List_that_is_changed_meanwhile_ends_the_operation_and_says_so()
    {
        var list = Enumerable.Range(0, 100).ToList();

        var task = list.ForEachParallelAsync((i, _) => { if (i == 40) list.Clear(); return default; }, new FlowOptions { MaxConcurrency = 1, Errors = ErrorMode.Skip });

        var thrown = await Assert.ThrowsAsync<InvalidOperationException>(() => task.WaitAsync(Patience));
        Assert.Equal("The list had 100 items when the operation began and has 0 now.", thrown.Message);
    }

    [Theory]
    [InlineData(3, 10)]
    [InlineData(10, 3)]
    public async Task Outcomes_are_as_many_as_the_items_that_came(int said, int came)
    {
        var outcomes = await new Counted(said, came).SelectOutcomesAsync(static (i, _) => ValueTask.FromResult(i));

        Assert.Equal(Enumerable.Range(0, came), outcomes.Select(outcome => outcome.Value));
    }

    [Fact]
    public async Task Source_whose_wait_cannot_be_waited_for_ends_the_operation()
        => await Assert.ThrowsAsync<FormatException>(() => new Refusing().ForEachParallelAsync(static (_, _) => default).WaitAsync(Patience));

    [Fact]
    public async Task Enumerator_that_ends_a_wait_while_it_is_read_gives_every_item_once()
    {
        var waits = Enumerable.Range(0, 100).Select(_ => new TaskCompletionSource()).ToArray();
        var seen = new ConcurrentQueue<int>();

        await new Reentrant(waits).ForEachParallelAsync(async (i, _) => { await waits[i].Task; seen.Enqueue(i); }, new FlowOptions { MaxConcurrency = 4 }).WaitAsync(Patience);

        Assert.Equal(Enumerable.Range(0, 100), seen.Order());
    }

    [Fact]
    public void Batch_delay_longer_than_a_timer_reaches_is_refused()
        => Assert.Throws<ArgumentOutOfRangeException>(
            () => new Refusing().BatchParallelStreamAsync(10, static (batch, _) => ValueTask.FromResult(batch.Count), TimeSpan.FromDays(100)));

    private sealed class Counted(int said, int came) : ICollection<int>
    {
        public int Count => said;

        public bool IsReadOnly => true;

        public void Add(int item) => throw new NotSupportedException();

        public void Clear() => throw new NotSupportedException();

        public bool Contains(int item) => item < came;

        public void CopyTo(int[] array, int arrayIndex) => throw new NotSupportedException();

        public bool Remove(int item) => throw new NotSupportedException();

        public IEnumerator<int> GetEnumerator() => Enumerable.Range(0, came).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    // No iterator: reading it inside a read goes on, as the enumerators of many collections do.
    private sealed class Reentrant(TaskCompletionSource[] waits) : IEnumerable<int>, IEnumerator<int>
    {
        private int _at = -1;

        public int Current { get; private set; }

        object IEnumerator.Current => Current;

        public IEnumerator<int> GetEnumerator() => this;

        IEnumerator IEnumerable.GetEnumerator() => this;

        public bool MoveNext()
        {
            var at = ++_at;
            if (at > 0 && at <= waits.Length)
                waits[at - 1].TrySetResult();
            Current = at;
            return at < waits.Length;
        }

        public void Reset() => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }

    private sealed class Refusing : IAsyncEnumerable<int>, IAsyncEnumerator<int>, IValueTaskSource<bool>
    {
        public int Current => 0;

        public IAsyncEnumerator<int> GetAsyncEnumerator(CancellationToken cancellationToken = default) => this;

        public ValueTask<bool> MoveNextAsync() => new(this, 0);

        public ValueTask DisposeAsync() => default;

        public bool GetResult(short token) => throw new FormatException();

        public ValueTaskSourceStatus GetStatus(short token) => ValueTaskSourceStatus.Pending;

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => throw new NotSupportedException();
    }
}
