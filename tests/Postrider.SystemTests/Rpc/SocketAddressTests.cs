using System.Net;
using System.Net.Sockets;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Addresses at which a server cannot listen.</summary>
public sealed class SocketAddressTests
{
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    [Fact]
    public async Task Port_in_use_is_named_with_what_to_do()
    {
        await using var first = Start(new IPEndPoint(IPAddress.Loopback, 0));

        var failure = Assert.Throws<SocketException>(() => Start(first.EndPoint));

        Assert.Equal(SocketError.AddressAlreadyInUse, failure.SocketErrorCode);
        Assert.StartsWith($"{first.EndPoint} is already in use. Stop the program that listens there, or choose another port (0 picks a free one).", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task File_that_is_there_is_named_with_what_to_do()
    {
        var path = Path.Combine(Path.GetTempPath(), $"postrider-{Guid.NewGuid():N}.sock");
        await using var first = Start(new UnixDomainSocketEndPoint(path));

        var failure = Assert.Throws<SocketException>(() => Start(new UnixDomainSocketEndPoint(path)));

        Assert.Equal(SocketError.AddressAlreadyInUse, failure.SocketErrorCode);
        Assert.StartsWith($"{path} already exists. Delete the file if no server uses it any more, or choose another path.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Address_of_another_machine_is_named_with_what_to_do()
    {
        // 192.0.2.0/24 is nobody's (RFC 5737).
        var failure = Assert.Throws<SocketException>(() => Start(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 0)));

        Assert.StartsWith("192.0.2.1:0 is not an address of this machine", failure.Message, StringComparison.Ordinal);
    }

    private static SocketServer Start(EndPoint endPoint) => SocketServer.Start(endPoint, Codec, DeskContract.Serve(new Desk()));
}
