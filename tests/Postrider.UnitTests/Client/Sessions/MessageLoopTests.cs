using Postrider.Client.Sessions;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class MessageLoopTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task Loop_that_is_stopped_with_messages_at_hand_ends_and_leaves_them(int concurrency)
    {
        using var stop = new CancellationTokenSource();
        var loop = new EndlessLoop(concurrency, stop);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.Run(loop.RunAsync).WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));

        Assert.True(loop.HasLeft);
    }

    [Fact]
    public async Task Loop_that_starts_in_order_begins_each_message_behind_the_one_before_and_waits_for_none()
    {
        var loop = new CountingLoop();

        await Task.Run(loop.RunAsync).WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

        // The first one ends when the last one has begun.
        Assert.Equal(Enumerable.Range(0, 100), loop.Begun);
    }

    /// <summary>Has as many messages as may run at once.</summary>
    private sealed class CountingLoop() : MessageLoop<int>(Messages, startsInOrder: true)
    {
        private const int Messages = 100;

        private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _taken;

        public List<int> Begun { get; } = [];

        public Task RunAsync() => LoopAsync(CancellationToken.None, CancellationToken.None);

        public override bool IsWokenInline => false;

        public override ValueTask<bool> WaitAsync(CancellationToken ct) => new(_taken < Messages);

        public override bool TryTake(out int message)
        {
            message = _taken;
            return _taken++ < Messages;
        }

        public override async ValueTask WorkAsync(int message, CancellationToken ct)
        {
            // Nothing else writes to the list.
            Begun.Add(message);
            if (Begun.Count == Messages)
                _all.SetResult();
            await _all.Task;
        }
    }

    /// <summary>Always has a message; the first one stops the loop.</summary>
    private sealed class EndlessLoop(int concurrency, CancellationTokenSource stop) : MessageLoop<int>(concurrency)
    {
        public bool HasLeft { get; private set; }

        public Task RunAsync() => LoopAsync(stop.Token, CancellationToken.None);

        public override bool IsWokenInline => false;

        public override ValueTask<bool> WaitAsync(CancellationToken ct) => new(true);

        public override bool TryTake(out int message)
        {
            message = 0;
            return true;
        }

        public override async ValueTask WorkAsync(int message, CancellationToken ct) => await stop.CancelAsync();

        protected override ValueTask LeaveAsync()
        {
            HasLeft = true;
            return default;
        }
    }
}
