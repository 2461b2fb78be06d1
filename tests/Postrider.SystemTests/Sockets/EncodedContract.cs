using Postrider.Broker.Compression;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>A compressed connection promises what every connection does, whatever is below it.</summary>
public abstract class EncodedContract(EngineKind? kind) : LayeredContract(kind)
{
    [Fact]
    public async Task Bytes_that_are_no_blocks_end_the_connection()
    {
        var (dialled, accepted) = await ConnectBelowAsync();
        var atB = new Recorder();
        dialled.Start(new Recorder());
        EncodedConnection.Create(accepted, new S2Codec(S2Level.Fast)).Start(atB);

        dialled.Outbox.Send("PING\r\n"u8);

        Assert.Equal(CloseReason.ReadError, await atB.Closed.WaitAsync(Patience));
        Assert.IsType<InvalidDataException>(atB.ClosedError);
    }

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectAsync()
    {
        var (dialled, accepted) = await ConnectBelowAsync();
        return (EncodedConnection.Create(dialled, new S2Codec(S2Level.Fast)), EncodedConnection.Create(accepted, new S2Codec(S2Level.Uncompressed)));
    }

    private protected override Task AwaitReadyAsync(Connection a, Connection b) => Task.CompletedTask;
}
