namespace Postrider.Sockets.WebSockets;

/// <summary>A connection that carries its bytes in the messages of a WebSocket, on top of a plain or an encrypted one.</summary>
/// <remarks>Thread-safe like every connection. Received messages are one stream of bytes to the receiver; each send is one message.
/// Source: RFC 6455, RFC 7692.</remarks>
#pragma warning disable CA1001 // The timer ends with the connection.
public sealed class WebSocketConnection : LayeredConnection, IReceiver
#pragma warning restore CA1001
{
    private readonly IWebSocketServer? _server;
    private readonly ClientHandshake? _client;
    private readonly TimeSpan _timeout;
    private readonly WebSocketFrameReader _reader;
    private WebSocketFrameWriter _writer;

    // Guards whether a sender waits for the end of the handshake.
    private readonly Lock _gate = new();
    private ITimer? _timer;
    private WebSocketClose? _peerClose;
    private byte[]? _refusal;
    private bool _isSenderWaiting;
    private bool _isInnerStarted;
    private bool _isPeerClosing;
    private bool _answersClose;
    private volatile bool _isOpen;

    private WebSocketConnection(Connection inner, IWebSocketServer? server, ClientHandshake? client, TimeSpan timeout, long maxMessageBytes)
        : base(inner)
    {
        (_server, _client, _timeout) = (server, client, timeout);
        IsMasked = server is not null;
        _reader = new WebSocketFrameReader(this, maxMessageBytes);
        _writer = new WebSocketFrameWriter(inner.Outbox, masks: client is not null);
    }

    /// <summary>Whether the handshake has completed.</summary>
    public bool IsOpen => _isOpen;

    /// <summary>Whether messages are compressed.</summary>
    public bool IsCompressed { get; private set; }

    /// <summary>Whether the other side masks what it sends.</summary>
    internal bool IsMasked { get; private set; }

    /// <summary>Creates the server's end, which begins the handshake when it is started, or before by <see cref="BeginHandshake"/>.</summary>
    /// <param name="inner">A connection that does not read yet; it belongs to this one from now on.</param>
    /// <param name="server">The server's decisions.</param>
    /// <param name="timeout">Maximum time of the handshake.</param>
    /// <param name="maxMessageBytes">Maximum size of a received compressed message in bytes, compressed and not.</param>
    /// <returns>A connection that does not read yet.</returns>
    public static WebSocketConnection CreateServer(Connection inner, IWebSocketServer server, TimeSpan timeout, long maxMessageBytes)
        => new(inner, server, null, timeout, maxMessageBytes);

    /// <summary>Creates the client's end, which begins the handshake when it is started.</summary>
    /// <param name="inner">A connection that does not read yet; it belongs to this one from now on.</param>
    /// <param name="options">The client's options.</param>
    /// <returns>A connection that does not read yet.</returns>
    public static WebSocketConnection CreateClient(Connection inner, WebSocketClientOptions options)
        => new(inner, null, new ClientHandshake(options), options.HandshakeTimeout, options.MaxMessageBytes);

    /// <summary>Encodes the frames themselves from now on, and decodes received ones. Call inside <see cref="IReceiver.Receive"/> of the receiver, after the
    /// handshake, when the bytes in the outbox were sent. NATS servers compress leaf nodes over WebSockets like this.</summary>
    /// <param name="codec">Encodes and decodes.</param>
    /// <param name="batch">The batch of the call.</param>
    public void EncodeFrames(IConnectionCodec codec, SendBatch batch)
    {
        var encoded = EncodedConnection.Upgrade(Inner, codec, batch);
        Insert(encoded);
        _writer = _writer.For(encoded.Outbox);
        encoded.Start(this);
    }

    /// <summary>Begins the handshake without a receiver; <see cref="IWebSocketServer.Opened"/> starts the connection.</summary>
    public void BeginHandshake()
    {
        if (_isInnerStarted) return;
        _isInnerStarted = true;
        _timer = Outbox.Time.CreateTimer(static state => ((WebSocketConnection)state!).OnTimeout(), this, _timeout, Timeout.InfiniteTimeSpan);
        Inner.Start(this);
        if (_client is not null) Inner.Outbox.Send(_client.Render());
    }

    /// <inheritdoc/>
    int IReceiver.Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        // Bytes after a close frame have no meaning.
        if (_isPeerClosing && _reader.IsAtEnd) return input.Length;
        var consumed = 0;
        try
        {
            if (!_isOpen) consumed = ReceiveHandshake(input);
            if (!_isOpen || IsClosed) return IsClosed ? input.Length : consumed;
            consumed += _reader.Receive(input[consumed..], Receiver!, batch, out neededBytes);
        }
        catch (WebSocketProtocolException error)
        {
            // Responses to what came before the error are sent.
            batch.Flush(null);
            Fail(error);
            return input.Length;
        }
        if (_isPeerClosing && _reader.IsAtEnd) AnswerClose(batch);
        return consumed;
    }

    /// <inheritdoc/>
    void IReceiver.Closed(CloseReason reason, Exception? error)
    {
        if (!IsClosed)
        {
            if (reason == CloseReason.ByPeer && !Inner.IsClosed && _isOpen) EndByPeer();
            // If TLS is below, its end is more precise.
            else if (!_isOpen && _client is not null && TlsConnection.Of(this) is null) Close(CloseReason.WebSocketHandshakeFailed, error);
            else Close(reason, error);
        }
        _reader.Release();
        if (!_isOpen) _server?.Refused((EndError ?? error)?.Message ?? "connection closed");
        if (IsClosed) EndReading();
    }

    /// <summary>Responds to a ping, unless the other side does not read the responses.</summary>
    internal void Pong(ReadOnlySpan<byte> payload)
    {
        if (!IsInnerFull) _writer.WriteControl(FrameOpcode.Pong, payload);
    }

    /// <summary>Records that the other side closes.</summary>
    internal void NoteClose(WebSocketClose? close) => (_isPeerClosing, _peerClose) = (true, close);

    internal override TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        if (EndWithInner()) return TransmitResult.Failed;
        if (!_isOpen || IsInnerFull) return TransmitResult.Blocked;
        Inner.Outbox.WriteDeadline = Outbox.WriteDeadline;
        Inner.Outbox.ClosesPartialWrites = Outbox.ClosesPartialWrites;
        sentBytes = _writer.Write(segments);
        return TransmitResult.Done;
    }

    internal override void AwaitWritable()
    {
        lock (_gate)
        {
            if (!_isOpen)
            {
                _isSenderWaiting = true;
                return;
            }
        }
        AwaitInner();
    }

    private protected override void BeginReading() => BeginHandshake();

    private protected override void Shutdown()
    {
        _timer?.Dispose();
        if (_refusal is not null)
        {
            Inner.Outbox.Send(_refusal);
            Inner.CloseAfterSending();
        }
        else if (_isOpen && (Lingers || WasSent || EndError is WebSocketProtocolException || (EndReason == CloseReason.ByPeer && DrainOnHalfClose)))
        {
            SendClose();
            Inner.CloseAfterSending();
        }
        else
        {
            Inner.Close();
        }
    }

    // Responses to what the peer sent before it closed are sent, and may have ended the connection.
    private void AnswerClose(SendBatch batch)
    {
        batch.Flush(null);
        if (IsClosed) return;
        _answersClose = true;
        EndByPeer();
    }

    private void SendClose()
    {
        var close = EndError is WebSocketProtocolException broken ? new WebSocketClose(broken.Status, broken.Message)
            : _answersClose ? _peerClose ?? default
            : _server?.DescribeClose() ?? new WebSocketClose(WebSocketCloseStatus.NormalClosure, "");
        _writer.WriteControl(FrameOpcode.Close, close.Status is WebSocketCloseStatus.None or WebSocketCloseStatus.TlsHandshake ? [] : CloseFrame.Render(close));
    }

    private void OnTimeout()
    {
        if (_isOpen) return;
        Close(CloseReason.WebSocketHandshakeFailed, new TimeoutException($"The WebSocket handshake was not complete within {_timeout.TotalSeconds:0.###} s."));
    }

    private int ReceiveHandshake(ReadOnlySpan<byte> input)
    {
        if (_client is not null) ClientHandshake.CheckStart(input);
        var length = HttpHead.Read(input, out var head);
        if (head is null) return 0;
        if (_server is null)
        {
            var compresses = _client!.Accept(head);
            if (_client.AcceptsNoMasking(head)) _writer.StopMasking();
            Open(compresses);
            return length;
        }
        var request = WebSocketRequest.Read(head, TlsConnection.Of(this) is not null);
        var refusal = ServerHandshake.Check(request) ?? _server.Check(request);
        if (refusal is not null)
        {
            _refusal = ServerHandshake.Refuse(refusal.Status);
            throw new WebSocketProtocolException(refusal.Reason);
        }
        if (length < input.Length) throw new WebSocketProtocolException("client sent data before handshake is complete");
        AcceptRequest(_server, request);
        return length;
    }

    private void AcceptRequest(IWebSocketServer server, WebSocketRequest request)
    {
        IsMasked = request.Find(ServerHandshake.NoMasking) != "true";
        var compresses = server.AllowsCompression && ServerHandshake.OffersCompression(request);
        Inner.Outbox.Send(ServerHandshake.Accept(request, compresses, !IsMasked, server.AnswerHeaders));
        Open(compresses);
        server.Opened(this, request);
    }

    private void Open(bool compresses)
    {
        _timer?.Dispose();
        IsCompressed = _reader.AllowsCompression = compresses;
        if (compresses) _writer.Compress();
        bool continues;
        lock (_gate)
        {
            _isOpen = true;
            (continues, _isSenderWaiting) = (_isSenderWaiting, false);
        }
        if (continues) Outbox.ContinueBlocked();
    }

    private void Fail(WebSocketProtocolException error)
    {
        // An invalid request gets a response too.
        if (!_isOpen && _server is not null) _refusal ??= ServerHandshake.Refuse(400);
        Close(_isOpen ? CloseReason.ReadError : CloseReason.WebSocketHandshakeFailed, error);
    }
}
