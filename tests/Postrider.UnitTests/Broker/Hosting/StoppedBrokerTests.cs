using Postrider.Broker;
using Postrider.Client;

namespace Postrider.UnitTests.Broker.Hosting;

/// <summary>A broker that has stopped is gone for clients of its own process too.</summary>
public sealed class StoppedBrokerTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task In_process_clients_neither_stay_nor_come_back(bool gradually)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, LameDuckDuration = TimeSpan.FromMilliseconds(2), LameDuckGracePeriod = TimeSpan.FromMilliseconds(1) });
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, TestContext.Current.CancellationToken);

        await (gradually ? broker.EnterLameDuckModeAsync() : broker.StopAsync());

        var refused = await Assert.ThrowsAsync<NatsClientException>(
            () => NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, TestContext.Current.CancellationToken));
        Assert.Equal(
            (NatsErrorCode.ConnectionFailed, "The broker in this process has stopped or is stopping and accepts no connections."), (refused.Code, refused.Message));
        await Eventually.HoldsAsync(() => client.State != ConnectionState.Connected);
        Assert.Empty(broker.State.OpenConnections(withSubscriptions: false));
    }
}
