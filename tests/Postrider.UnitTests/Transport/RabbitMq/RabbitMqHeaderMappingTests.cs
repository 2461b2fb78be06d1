using System.Text;
using Postrider.Envelopes;
using Postrider.Transport.RabbitMq;
using RabbitMQ.Client;

namespace Postrider.UnitTests.Transport.RabbitMq;

public sealed class RabbitMqHeaderMappingTests
{
    [Theory]
    [InlineData("CC")]
    [InlineData("BCC")]
    public void Header_in_which_the_server_reads_further_queues_is_refused_by_name(string name)
    {
        var refused = Assert.Throws<ArgumentException>(() => RabbitMqHeaderMapping.ToAmqp(new MessageProperties { Headers = new Postrider.Headers { { name, "accounting" } } }));

        Assert.Contains($"'{name}'", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Further_queues_of_an_arriving_message_are_not_among_its_headers()
        => Assert.Equal([new("Cc", "yes")], RabbitMqHeaderMapping.FromAmqp(Arrived()));

    [Fact]
    public void Another_attempt_is_stored_in_one_queue_and_by_the_account_of_the_listener()
    {
        var again = RabbitMqHeaderMapping.Again(Arrived(), 2);

        Assert.False(again.IsUserIdPresent());
        Assert.True(again.Persistent);
        Assert.Equal(["Cc", "Postrider-Attempts"], again.Headers!.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(2L, again.Headers!["Postrider-Attempts"]);
    }

    private static BasicProperties Arrived() => new()
    {
        UserId = "somebody",
        Headers = new Dictionary<string, object?>(StringComparer.Ordinal)
        {
            ["CC"] = new List<object?> { "accounting" }, ["BCC"] = new List<object?> { "archive" }, ["Cc"] = Encoding.UTF8.GetBytes("yes"), ["x-delivery-count"] = 3L,
        },
    };
}
