using System.Text;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class RequestInfoTests
{
    private const string Own = "Nats-Request-Info: {\"acc\":\"I\"}\r\n\r\n";

    [Theory]
    [InlineData("", "NATS/1.0\r\n")]
    [InlineData("NATS/1.0\r\n\r\n", "NATS/1.0\r\n")]
    [InlineData("NATS/1.0\r\nA: b\r\n\r\n", "NATS/1.0\r\nA: b\r\n")]
    [InlineData("NATS/1.0\r\nNats-Request-Info: {}\r\n\r\n", "NATS/1.0\r\n")]
    [InlineData("NATS/1.0\r\nNats-Request-Info:\r\n\r\n", "NATS/1.0\r\n")]
    [InlineData("NATS/1.0\r\nA: b\r\nNats-Request-Info: {}\r\nC: d\r\n\r\n", "NATS/1.0\r\nA: b\r\nC: d\r\n")]
    [InlineData("NATS/1.0\r\nNats-Request-Info: {}\r\nNats-Request-Info: {\"acc\":\"X\"}\r\n\r\n", "NATS/1.0\r\n")]
    [InlineData("NATS/1.0\r\nNats-Request-Info: 1\r\nA: b\r\nNats-Request-Info: 2\r\nNats-Request-Info: 3\r\nC: d\r\n\r\n", "NATS/1.0\r\nA: b\r\nC: d\r\n")]
    [InlineData("NATS/1.0\r\nnats-request-info: {}\r\n\r\n", "NATS/1.0\r\nnats-request-info: {}\r\n")]
    public void Headers_of_that_name_are_replaced_by_one_at_the_end(string headers, string kept)
    {
        var written = RequestInfo.Write(Encoding.UTF8.GetBytes(headers), null, "I", null, null, shares: false);

        Assert.Equal(kept + Own, Encoding.UTF8.GetString(written));
    }

    [Fact]
    public void Description_is_extended_for_a_third_account()
    {
        var written = RequestInfo.Write("NATS/1.0\r\nNats-Request-Info: 1\r\nNats-Request-Info: 2\r\nA: b\r\n\r\n"u8, null, "I", null, null, shares: false);

        var extended = RequestInfo.Extend(written, "S", null, null);

        Assert.Equal("NATS/1.0\r\nA: b\r\nNats-Request-Info: {\"acc\":\"I\",\"svc\":\"S\"}\r\n\r\n", Encoding.UTF8.GetString(extended!));
    }
}
