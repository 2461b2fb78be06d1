using Postrider.Broker.Compression;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>Negotiates the compression of a leaf node connection: the connecting side chooses and announces it, then both compress.</summary>
/// <remarks>Source: nats-server, leaf node protocol.</remarks>
internal static class LeafCompression
{
    /// <summary>Whether a connection uses a WebSocket that compresses already.</summary>
    public static bool IsCompressedBelow(LeafSession session) => session.Connection is WebSocketConnection { IsCompressed: true };

    /// <summary>Handles the INFO that a compressing server sends before CONNECT.</summary>
    /// <param name="session">An accepted connection.</param>
    /// <param name="text">The INFO.</param>
    /// <param name="batch">The batch of the frame.</param>
    public static void TakePeerInfo(LeafSession session, ReadOnlySpan<byte> text, SendBatch batch)
    {
        if (session.ConnectInfo is not null || session.Compression.IsChosen) return;
        if (LeafContext.ParseInfo(text) is not { } info)
        {
            session.End(ClosedState.ProtocolViolation, "Protocol Violation: INFO is not valid JSON", batch);
            return;
        }
        if (!TryChoose(session, info, batch) || session.Compression.Codec is not { } codec) return;
        Upgrade(session, codec, batch);
        session.SendFirstInfo();
    }

    /// <summary>Chooses the compression of a solicited connection, and starts it if one was chosen. Called while its INFO is handled.</summary>
    /// <param name="session">A solicited connection, already encrypted if TLS is used.</param>
    /// <param name="info">The remote's first INFO.</param>
    /// <param name="batch">The batch of the frame.</param>
    /// <returns>Whether CONNECT is sent now; else another INFO comes first, or the session ends.</returns>
    public static bool Settle(LeafSession session, ServerInfo info, SendBatch batch)
    {
        if (!TryChoose(session, info, batch)) return false;
        if (session.Compression.Codec is not { } codec) return true;
        session.SendFirstInfo();
        Upgrade(session, codec, batch);
        session.AwaitsEncodedInfo = true;
        return false;
    }

    /// <summary>Does the same for an encrypted connection that does not read yet, and starts it.</summary>
    /// <param name="session">A solicited connection.</param>
    /// <param name="secured">The connection that is about to be encrypted.</param>
    /// <param name="info">The remote's first INFO.</param>
    /// <param name="batch">The batch of the frame.</param>
    /// <returns>Whether CONNECT is sent now; else another INFO comes first, or the session ends.</returns>
    public static bool SettleAndStart(LeafSession session, Connection secured, ServerInfo info, SendBatch batch)
    {
        var isChosen = TryChoose(session, info, batch);
        session.Replace(secured);
        if (!isChosen || session.Compression.Codec is not { } codec)
        {
            secured.Start(session);
            return isChosen;
        }
        Start(session, EncodedConnection.Create(secured, codec));
        // The frames wait for the end of the handshake.
        secured.Outbox.Send(session.Context.RenderInfo(session, account: false));
        session.AwaitsEncodedInfo = true;
        return false;
    }

    // As in nats-server, the frames of a WebSocket are compressed, not their content.
    private static void Upgrade(LeafSession session, S2Codec codec, SendBatch batch)
    {
        if (session.Connection is WebSocketConnection webSocket) webSocket.EncodeFrames(codec, batch);
        else Start(session, EncodedConnection.Upgrade(session.Connection, codec, batch));
    }

    private static void Start(LeafSession session, EncodedConnection encoded)
    {
        session.Replace(encoded);
        encoded.Start(session);
    }

    private static bool TryChoose(LeafSession session, ServerInfo info, SendBatch batch)
    {
        if (IsCompressedBelow(session))
        {
            session.Compression.Decline("off");
            return true;
        }
        if (session.Compression.TryChoose(info.Compression, session.Context.Time.GetUtcNow() - session.StartedAt)) return true;
        session.End(ClosedState.ProtocolViolation, $"unsupported leafnode compression mode {GoQuote.Quote(info.Compression!)}", batch);
        return false;
    }
}
