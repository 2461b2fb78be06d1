using Postrider.Client;
using Postrider.Client.Sessions;
using Postrider.Sockets;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class HandshakeErrorsTests
{
    [Theory]
    [InlineData(CloseReason.ByPeer, "The server a:4222 closed the connection.")]
    [InlineData(CloseReason.ByUs, "The client closed its connection to a:4222.")]
    [InlineData(CloseReason.ReadError, "Reading from a:4222 failed: Broken pipe.")]
    [InlineData(CloseReason.WriteError, "Writing to a:4222 failed: Broken pipe.")]
    [InlineData(CloseReason.ReceiverFault, "The connection to a:4222 failed: Broken pipe.")]
    [InlineData(CloseReason.PendingBytesExceeded, "The connection to a:4222 was closed: more bytes waited to be sent than are allowed.")]
    [InlineData(CloseReason.WriteDeadlineExceeded, "The connection to a:4222 was closed: the server received nothing for too long.")]
    public void Lost_connection_names_its_server_and_the_reason(CloseReason reason, string message)
    {
        var cause = new IOException("Broken pipe.");

        var error = HandshakeErrors.Lost(ServerAddress.Parse("nats://a:4222"), reason, cause);

        Assert.Equal((NatsErrorCode.ConnectionLost, message, cause), (error.Code, error.Message, error.InnerException));
    }

    [Fact]
    public void Lost_connection_without_a_cause_ends_with_its_server()
        => Assert.Equal("Reading from a:4222 failed.", HandshakeErrors.Lost(ServerAddress.Parse("nats://a:4222"), CloseReason.ReadError, null).Message);
}
