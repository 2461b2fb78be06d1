using Postrider.Transport.Nats;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

public sealed class AbilityCheckTests
{
    public static TheoryData<string, TransportBinding, TransportBinding, bool> Bindings => new()
    {
        { "one queue", new AtLeastOnceBinding("work"), new AtLeastOnceBinding("work") { MaxConcurrency = 2 }, false },
        { "one queue, once with options of its own", new RabbitMqBinding("work"), new AtLeastOnceBinding("work"), false },
        { "two queues", new AtLeastOnceBinding("work"), new AtLeastOnceBinding("rest"), true },
        { "one consumer", new DurableBinding("work") { Consumer = "desk" }, new DurableBinding("work") { Consumer = "desk" }, false },
        { "two consumers", new DurableBinding("work") { Consumer = "desk" }, new DurableBinding("work") { Consumer = "mail" }, true },
    };

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Two_messages_do_not_share_a_source(string name, TransportBinding first, TransportBinding second, bool isAllowed)
    {
        await using var transport = new RabbitMqTransport(new RabbitMqOptions());

        var refused = Record.Exception(() => AbilityCheck.Source(transport, second, typeof(int), [(typeof(string), first)]));

        Assert.True(refused is null == isAllowed, $"{name}: {refused?.Message}");
        AbilityCheck.Source(transport, second, typeof(string), [(typeof(string), first)]);
    }

    [Fact]
    public async Task Listeners_without_a_group_each_get_the_message()
    {
        await using var transport = new InMemoryTransport();

        AbilityCheck.Source(transport, new TransportBinding("news"), typeof(int), [(typeof(string), new TransportBinding("news"))]);
    }
}
