using Postrider.Rpc.Sockets;

namespace Postrider.UnitTests.Rpc.Sockets;

public sealed class FlowControlWindowTests
{
    [Fact]
    public async Task Sender_waits_when_nothing_is_left_until_the_reader_has_taken_some()
    {
        var window = new FlowControlWindow(100);
        await window.WaitAsync(CancellationToken.None);
        window.Use(150);

        var waiting = window.WaitAsync(CancellationToken.None).AsTask();

        Assert.False(waiting.IsCompleted);
        Assert.True(window.TryAdd(50));
        Assert.False(waiting.IsCompleted);
        Assert.True(window.TryAdd(1));
        await waiting.WaitAsync(TimeSpan.FromSeconds(30));
    }

    [Fact]
    public async Task Closing_ends_the_waiting()
    {
        var window = new FlowControlWindow(1);
        window.Use(1);
        var waiting = window.WaitAsync(CancellationToken.None).AsTask();

        window.Close(new InvalidOperationException("over"));

        await Assert.ThrowsAsync<InvalidOperationException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(30)));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await window.WaitAsync(CancellationToken.None));
    }

    [Fact]
    public void Credit_beyond_any_sense_is_refused()
    {
        var window = new FlowControlWindow(100);

        Assert.False(window.TryAdd(int.MaxValue));
        Assert.True(window.TryAdd(100));
    }
}
