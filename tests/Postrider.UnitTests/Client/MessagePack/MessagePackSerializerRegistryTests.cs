using System.Buffers;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.MessagePack;
using Postrider.MessagePack;
using Postrider.UnitTests.MessagePack;

namespace Postrider.UnitTests.Client.MessagePack;

public sealed class MessagePackSerializerRegistryTests
{
    private static readonly MessagePackSerializerRegistry Payloads = new(Contracts.Default);

    [Fact]
    public async Task Known_type_travels_as_MessagePack()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector, Serializers = Payloads });
        await using var orders = client.Subscribe<Order>("orders");
        var sent = new Order { Customer = "Ada", Lines = [new() { Product = "Tea", Quantity = 2, Price = 1.5m }] };

        await client.PublishAsync("orders", sent);
        var received = (await orders.ReadAsync()).Data;

        Assert.Equivalent(sent, received, strict: true);
    }

    [Fact]
    public void Bytes_are_those_of_the_formatter()
    {
        var buffer = new ArrayBufferWriter<byte>();

        Payloads.Get<Person>().Serialize(buffer, new Person("Ada", 36) { Favorite = Color.Green });

        Assert.Equal(MessagePackSerializer.Serialize(new Person("Ada", 36) { Favorite = Color.Green }, Contracts.Default.Person), buffer.WrittenSpan);
    }

    [Fact]
    public void Type_that_the_context_does_not_know_is_asked_of_the_others()
    {
        Assert.Same(DefaultSerializerRegistry.Instance.Get<string>(), Payloads.Get<string>());
        var failure = Assert.Throws<NatsClientException>(() => Payloads.Get<Version>());
        Assert.Equal(NatsErrorCode.NoSerializer, failure.Code);
    }

    [Fact]
    public void Limits_bound_what_is_read()
    {
        var bytes = MessagePackSerializer.Serialize(new Person("Ada Lovelace", 36) { Favorite = Color.Red }, Contracts.Default.Person);
        var narrow = new MessagePackSerializerRegistry(Contracts.Default, limits: new MessagePackLimits { MaxBytes = 8 });

        var failure = Assert.Throws<MessagePackException>(() => narrow.Get<Person>().Deserialize(bytes));

        Assert.Equal(MessagePackError.TooLong, failure.Error);
    }
}
