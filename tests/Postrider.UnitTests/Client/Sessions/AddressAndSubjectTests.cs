using Postrider.Client;
using Postrider.Client.Sessions;

namespace Postrider.UnitTests.Client.Sessions;

/// <summary>What is said about addresses and subjects that are not valid.</summary>
public sealed class AddressAndSubjectTests
{
    [Theory]
    [InlineData("nats:/host", "Server address 'nats:/host' has one slash after its scheme. Write nats://host:port.")]
    [InlineData("tls:/host:4222", "Server address 'tls:/host:4222' has one slash after its scheme. Write nats://host:port.")]
    [InlineData("nats://host:99999", "Server address 'nats://host:99999' does not have the form nats://host:port, with a port from 1 to 65535.")]
    [InlineData("http://host", "Server address 'http://host' has the unsupported scheme 'http'. Supported: nats, tls, tcp, ws, wss.")]
    [InlineData("nats://host/orders", "Server address 'nats://host/orders' has the path '/orders', which only addresses of WebSockets (ws, wss) may have. Write nats://host:port.")]
    [InlineData("tls://host:4222?x=1", "Server address 'tls://host:4222?x=1' has the path '/?x=1', which only addresses of WebSockets (ws, wss) may have. Write tls://host:port.")]
    public void Address_is_refused_with_its_fault(string address, string message)
    {
        Assert.Null(ServerAddress.TryParse(address, out var problem));
        Assert.Equal(message, problem);
    }

    [Theory]
    [InlineData("host", "host", 4222)]
    [InlineData("host:1", "host", 1)]
    [InlineData("tls://host", "host", 4222)]
    [InlineData("nats://host:4222/", "host", 4222)]
    [InlineData("ws://host/path", "host", 80)]
    public void Address_may_leave_out_the_scheme_and_the_port(string text, string host, int port)
    {
        var address = ServerAddress.Parse(text);

        Assert.Equal((host, port), (address.Host, address.Port));
    }

    [Theory]
    [InlineData("a.>.b", "Subject 'a.>.b' has a '>' before its end. The wildcard '>' must be the last token.")]
    [InlineData(">.a>.b", "Subject '>.a>.b' has a '>' before its end. The wildcard '>' must be the last token.")]
    [InlineData("a..b", "Subject 'a..b' is empty, has an empty token or contains whitespace.")]
    [InlineData("a.>.", "Subject 'a.>.' is empty, has an empty token or contains whitespace.")]
    [InlineData("", "Subject '' is empty, has an empty token or contains whitespace.")]
    [InlineData("a b", "Subject 'a b' is empty, has an empty token or contains whitespace.")]
    public void Subject_of_a_subscription_is_refused_with_its_fault(string subject, string message)
    {
        var error = Assert.Throws<NatsClientException>(() => SubjectArguments.CheckSubscribeSubject(subject));

        Assert.Equal((NatsErrorCode.InvalidArgument, message), (error.Code, error.Message));
    }

    [Theory]
    [InlineData("a.>")]
    [InlineData("a>.b")]
    [InlineData("*.b")]
    public void Subject_of_a_subscription_is_accepted(string subject)
        => Assert.Null(Record.Exception(() => SubjectArguments.CheckSubscribeSubject(subject)));
}
