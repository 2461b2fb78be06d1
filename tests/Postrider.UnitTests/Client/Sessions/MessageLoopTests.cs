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

    /// <summary>Always has a message; the first one stops the loop.</summary>
    private sealed class EndlessLoop(int concurrency, CancellationTokenSource stop) : MessageLoop<int>(concurrency)
    {
        public bool HasLeft { get; private set; }

        public Task RunAsync() => LoopAsync(stop.Token, CancellationToken.None);

        protected override ValueTask<bool> WaitAsync(CancellationToken ct) => new(true);

        protected override bool TryTake(out int message)
        {
            message = 0;
            return true;
        }

        protected override async ValueTask WorkAsync(int message, CancellationToken ct) => await stop.CancelAsync();

        protected override ValueTask LeaveAsync()
        {
            HasLeft = true;
            return default;
        }
    }
}
