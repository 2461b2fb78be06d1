namespace Postrider.HostingTests.Rpc;

public sealed class NullMessageTests
{
    [Theory]
    [MemberData(nameof(LedgerHost.Transports), MemberType = typeof(LedgerHost))]
    public async Task Null_is_a_message_over_every_transport(string transport)
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect(transport);
        var ledger = new LedgerClient(channel);

        Assert.Null(await ledger.RemarkAsync(null));
        Assert.Equal("checked", await ledger.RemarkAsync("checked"));
    }
}
