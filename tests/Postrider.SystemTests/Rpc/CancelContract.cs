namespace Postrider.SystemTests.Rpc;

/// <summary>What a call does besides where the caller's token reaches the server.</summary>
public abstract class CancelContract : CallContract
{
    [Fact]
    public async Task Token_of_the_caller_cancels_the_operation()
    {
        using var end = new CancellationTokenSource();
        var waiting = Client.WaitAsync(end.Token).AsTask();
        Assert.Equal("began", await NextAsync(Desk.Events));

        await end.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        Assert.Equal("cancelled", await NextAsync(Desk.Events));
    }
}
