using System.Reflection;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Transport.Aws;
using Postrider.Transport.Kafka;
using Postrider.Transport.RabbitMq;
using Postrider.Transport.ServiceBus;
using Postrider.Transports;

namespace Postrider.TransportTests;

/// <summary>A binding that names no transport, as an application uses it that changes its transport by one line.</summary>
public sealed class GeneralBindingTests
{
    private const BindingFlags Members = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    [Theory]
    [InlineData(typeof(SqsBinding))]
    [InlineData(typeof(KafkaBinding))]
    [InlineData(typeof(RabbitMqBinding))]
    [InlineData(typeof(ServiceBusBinding))]
    public void Everything_it_says_is_kept_by_the_binding_of_the_transport(Type type)
    {
        var general = new AtLeastOnceBinding("orders")
        {
            Group = "workers",
            MaxConcurrency = 7,
            OrderByKey = true,
            CloudEvents = new CloudEventOptions("/shop"),
            MassTransit = new MassTransitOptions(),
            NServiceBus = new NServiceBusOptions(),
            Retry = new RetryPolicy { MaxAttempts = 2 },
            DeadLetter = "orders.dead",
            KeepOrderBehindDeadLetters = true,
        };
        var properties = Properties(typeof(TransportBinding)).Concat(Properties(typeof(AtLeastOnceBinding))).ToList();
        properties.Single(static property => property.Name == "TransportName").SetValue(general, "bus");
        var unset = new AtLeastOnceBinding("another");
        Assert.All(properties, property => Assert.NotEqual(property.GetValue(unset), property.GetValue(general)));

        var own = type.GetConstructor(Members, [typeof(AtLeastOnceBinding)])!.Invoke([general]);

        Assert.All(properties, property => Assert.Equal(property.GetValue(general), property.GetValue(own)));
    }

    private static IEnumerable<PropertyInfo> Properties(Type type) => type.GetProperties(Members).Where(static property => property.CanWrite);
}
