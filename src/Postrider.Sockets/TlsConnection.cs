// Hot path: socket's Connection -> this -> IReceiver; Outbox -> this -> Outbox of the socket. Allocations: none once the handshake is over.
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.Sockets;

/// <summary>A connection that is encrypted, or may become so, on top of another one.</summary>
/// <remarks>
/// <para>Thread-safe like every connection. Received bytes are decrypted on the thread that read them and passed to the receiver there; bytes in the
/// outbox are encrypted by its sender, in records of up to 16 KiB, and appended to the outbox of the connection below in one piece.
/// No thread waits for another.</para>
/// <para>Handshakes cost as much as some hundred messages. A server's run on separate threads, a client's on the thread pool;
/// meanwhile the connection below is read only when the handshake needs more. Bytes appended to the outbox before a handshake are sent unencrypted; those appended
/// during it wait for its end.</para>
/// </remarks>
#pragma warning disable CA1001 // The streams end with the connection; the memory is the outbox's.
public sealed class TlsConnection : LayeredConnection, IReceiver
#pragma warning restore CA1001
{
    // The largest certificate chain that OpenSSL accepts, plus the rest.
    private const int MaxHandshakeBytes = 128 * 1024;

    private readonly ITlsServer? _server;
    private readonly SslClientAuthenticationOptions? _client;
    private readonly TimeSpan _timeout;
    private readonly UnmanagedMemory _sending = new();
    private readonly SendLane _plainLane;

    // Guards the hand-over between the reading thread and that of the handshake, and whether the sender waits for its end.
    private readonly Lock _gate = new();
    private ITimer? _timer;
    private CipherStream? _cipher;
    private SslStream? _ssl;
    private TlsReader? _reader;
    private volatile Stage _stage;
    private bool _isInnerStarted;
    private bool _waitsForHandshake;
    private bool _isHeldBack;
    private bool _isSenderWaiting;
    private volatile bool _isReadingOver;

    private TlsConnection(Connection inner, ITlsServer? server, SslClientAuthenticationOptions? client, TimeSpan timeout)
        : base(inner)
    {
        (_server, _client, _timeout) = (server, client, timeout);
        _plainLane = inner.Outbox.CreateLane();
    }

    private enum Stage
    {
        // A server whose client has sent nothing yet.
        Undecided,
        Plain,
        Handshaking,

        // Encrypted; the reading thread has not taken over yet.
        Finishing,
        Secure,
    }

    /// <summary>Whether the handshake has completed and everything is encrypted.</summary>
    public bool IsSecure => _stage >= Stage.Finishing;

    /// <summary>The version of the protocol; <see cref="SslProtocols.None"/> before the end of the handshake.</summary>
    public SslProtocols Protocol { get; private set; }

    /// <summary>The cipher suite; 0 before the end of the handshake.</summary>
    public TlsCipherSuite CipherSuite { get; private set; }

    /// <summary>The other side's certificate; null when it presented none, and before the end of the handshake.</summary>
    public X509Certificate2? RemoteCertificate { get; private set; }

    private bool IsAwaitingHandshake => _stage == Stage.Handshaking || (_waitsForHandshake && _stage == Stage.Undecided);

    /// <summary>Finds the encrypted connection: the given one, or one below it.</summary>
    /// <param name="connection">Any connection.</param>
    /// <returns>Null without TLS.</returns>
    public static TlsConnection? Of(Connection connection)
        => connection as TlsConnection ?? (connection is LayeredConnection layered ? Of(layered.Inner) : null);

    /// <summary>Creates the server's end, which begins a handshake when the client does.</summary>
    /// <param name="inner">A connection that does not read yet; it belongs to this one from now on.</param>
    /// <param name="server">The server's decisions.</param>
    /// <param name="timeout">Maximum time from <see cref="Connection.Start"/> to the end of the handshake.</param>
    /// <param name="sendsPlainFirst">Whether bytes appended before the client begins the handshake are sent unencrypted; else they wait for its end.</param>
    /// <returns>A connection that does not read yet.</returns>
    public static TlsConnection CreateServer(Connection inner, ITlsServer server, TimeSpan timeout, bool sendsPlainFirst = true)
        => new(inner, server, null, timeout) { _waitsForHandshake = !sendsPlainFirst };

    /// <summary>Creates the client's end, which begins the handshake when it is started.</summary>
    /// <param name="inner">A connection that does not read yet; it belongs to this one from now on.</param>
    /// <param name="options">The server's name, the trusted certificates, the own certificate.</param>
    /// <param name="timeout">Maximum time from <see cref="Connection.Start"/> to the end of the handshake.</param>
    /// <returns>A connection that does not read yet.</returns>
    public static TlsConnection CreateClient(Connection inner, SslClientAuthenticationOptions options, TimeSpan timeout) => new(inner, null, options, timeout);

    /// <summary>Creates the client's end of a connection that has been read. Call inside <see cref="IReceiver.Receive"/> of
    /// its receiver, with all bytes consumed; the receiver gets no further call from the connection below.</summary>
    /// <param name="inner">The connection below.</param>
    /// <param name="options">The server's name, the trusted certificates, the own certificate.</param>
    /// <param name="timeout">Maximum time from <see cref="Connection.Start"/> to the end of the handshake.</param>
    /// <param name="batch">The batch of the call.</param>
    /// <returns>A connection that does not read yet.</returns>
    public static TlsConnection Upgrade(Connection inner, SslClientAuthenticationOptions options, TimeSpan timeout, SendBatch batch)
    {
        var upgraded = new TlsConnection(inner, null, options, timeout) { _isInnerStarted = true };
        inner.ReplaceReceiver(upgraded);
        batch.RequestYield();
        return upgraded;
    }

    /// <inheritdoc/>
    int IReceiver.Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        return _stage switch
        {
            Stage.Secure => ReceiveSecure(input, batch, out neededBytes),
            Stage.Plain => Receiver!.Receive(input, batch, out neededBytes),
            Stage.Undecided => ReceiveFirst(input, batch, out neededBytes),
            _ => ReceiveHandshake(input, batch, out neededBytes),
        };
    }

    /// <inheritdoc/>
    void IReceiver.Closed(CloseReason reason, Exception? error)
    {
        _isReadingOver = true;
        _cipher?.End();
        if (!IsClosed)
        {
            var isHandshake = _stage == Stage.Handshaking;
            // The handshake fails on another thread at the same time: the reason must not depend on which thread is first.
            if (isHandshake && _server is not null && reason is CloseReason.ByPeer or CloseReason.ReadError)
                Close(CloseReason.TlsHandshakeFailed, error ?? new EndOfStreamException("The client ended the connection during the TLS handshake."));
            else if (reason == CloseReason.ByPeer && !Inner.IsClosed && !isHandshake) EndByPeer();
            else Close(reason, error);
        }
        _reader?.Release();
        if (!IsClosed) return;
        _ssl?.Dispose();
        EndReading();
    }

    // The exceptions of the stream when the other side violates the protocol or is gone, or this side has closed.
    internal static bool IsEndOfStream(Exception error)
        => error is IOException or ObjectDisposedException or InvalidOperationException or AuthenticationException;

    internal override TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        if (EndWithInner()) return TransmitResult.Failed;
        if (IsAwaitingHandshake || IsInnerFull) return TransmitResult.Blocked;
        Inner.Outbox.WriteDeadline = Outbox.WriteDeadline;
        Inner.Outbox.ClosesPartialWrites = Outbox.ClosesPartialWrites;
        return _stage >= Stage.Finishing ? Encrypt(segments, out sentBytes) : Copy(segments, out sentBytes);
    }

    internal override void AwaitWritable()
    {
        lock (_gate)
        {
            if (IsAwaitingHandshake)
            {
                _isSenderWaiting = true;
                return;
            }
        }
        AwaitInner();
    }

    private protected override void BeginReading()
    {
        _timer = Outbox.Time.CreateTimer(static state => ((TlsConnection)state!).OnTimeout(), this, _timeout, Timeout.InfiniteTimeSpan);
        if (IsClosed) _timer.Dispose();
        if (_client is not null)
        {
            CreateStreams();
            _stage = Stage.Handshaking;
        }
        if (!_isInnerStarted) Inner.Start(this);
        if (_client is not null) Queue(BeginHandshake);
    }

    private protected override void Shutdown()
    {
        _timer?.Dispose();
        var sendsRest = Lingers || WasSent
            || (EndReason == CloseReason.ByPeer && DrainOnHalfClose)
            // The alert tells the other side the reason.
            || (EndReason == CloseReason.TlsHandshakeFailed && EndError is not TimeoutException);
        if (sendsRest)
        {
            if (_stage >= Stage.Finishing) SendCloseNotify();
            Inner.CloseAfterSending();
        }
        else
        {
            Inner.Close();
        }
        if (_isReadingOver) _ssl?.Dispose();
    }

    private unsafe TransmitResult Copy(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        foreach (var segment in segments)
        {
            _plainLane.Write(new ReadOnlySpan<byte>((void*)segment.Address, (int)segment.Length));
            sentBytes += (int)segment.Length;
        }
        _plainLane.Submit();
        Inner.Outbox.Send();
        return TransmitResult.Done;
    }

    private TransmitResult Encrypt(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        _cipher!.BeginBatch();
        try
        {
            foreach (var segment in segments)
            {
                _sending.Point(segment);
                var written = _ssl!.WriteAsync(_sending.Memory);
                if (!written.IsCompleted)
                {
                    _ = FinishWriteAsync(written.AsTask(), (int)segment.Length);
                    return TransmitResult.UnderWay;
                }
                written.GetAwaiter().GetResult();
                sentBytes += (int)segment.Length;
            }
        }
        catch (Exception error) when (IsEndOfStream(error))
        {
            _cipher.EndBatch();
            Close(CloseReason.WriteError, error);
            return TransmitResult.Failed;
        }
        _cipher.EndBatch();
        return TransmitResult.Done;
    }

    // Only when the two sides are renegotiating keys.
    private async Task FinishWriteAsync(Task writing, int bytes)
    {
        try
        {
            await writing.ConfigureAwait(false);
        }
        catch (Exception error) when (IsEndOfStream(error))
        {
            _cipher!.EndBatch();
            Close(CloseReason.WriteError, error);
            Outbox.Release();
            return;
        }
        _cipher!.EndBatch();
        Outbox.Continue(bytes);
    }

    private void SendCloseNotify()
    {
        try
        {
            // Complete at once, like every write.
            _ = _ssl!.ShutdownAsync();
        }
        catch (Exception error) when (IsEndOfStream(error))
        {
            // The other side closed first, and the stream is closed.
        }
    }

    private void OnTimeout()
    {
        if (_stage == Stage.Undecided && _server!.AllowsPlain)
        {
            TryStayPlain();
            return;
        }
        if (_stage is Stage.Undecided or Stage.Handshaking)
            Close(CloseReason.TlsHandshakeFailed, new TimeoutException($"The TLS handshake was not complete within {_timeout.TotalSeconds:0.###} s."));
    }

    // By the reading thread or the timer's, whichever comes first.
    private void TryStayPlain()
    {
        bool continues;
        lock (_gate)
        {
            if (_stage != Stage.Undecided) return;
            _stage = Stage.Plain;
            (continues, _isSenderWaiting) = (_isSenderWaiting, false);
        }
        _timer?.Dispose();
        _server!.StaysPlain();
        if (continues) Outbox.ContinueBlocked();
    }

    private int ReceiveFirst(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        if (input.IsEmpty) return 0;
        var isHandshake = input[0] == TlsRecord.HandshakeType;
        if (!isHandshake && _server!.AllowsPlain)
        {
            TryStayPlain();
            return Receiver!.Receive(input, batch, out neededBytes);
        }
        if (!isHandshake)
        {
            Close(CloseReason.TlsHandshakeFailed, new InvalidDataException("The first bytes are not a TLS handshake."));
            return input.Length;
        }
        if (_server!.BeginHandshake() is not { } options) return input.Length;
        lock (_gate)
        {
            if (_stage == Stage.Undecided)
            {
                CreateStreams();
                _stage = Stage.Handshaking;
            }
        }
        if (_stage == Stage.Plain)
        {
            // The timer came first: the receiver handles the bytes of the handshake, which end the connection.
            return Receiver!.Receive(input, batch, out neededBytes);
        }
        // The client may have waited for a while before its first byte.
        if (_server.AllowsPlain) _timer?.Change(_timeout, Timeout.InfiniteTimeSpan);
        var consumed = ReceiveHandshake(input, batch, out neededBytes);
        Queue(() => _ = HandshakeAsync(() => _ssl!.AuthenticateAsServerAsync(options, CancellationToken.None)));
        return consumed;
    }

    private int ReceiveHandshake(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        if (input.IsEmpty) return 0;
        bool serves = false, holdsBack = false, isTooMuch = false, isOver;
        lock (_gate)
        {
            isOver = _stage == Stage.Secure;
            if (!isOver) AddLocked(input, out serves, out holdsBack, out isTooMuch);
        }
        if (isOver) return ReceiveSecure(input, batch, out neededBytes);
        if (holdsBack) batch.RequestYield();
        if (isTooMuch) Close(CloseReason.TlsHandshakeFailed, new InvalidDataException($"The TLS handshake exceeds {MaxHandshakeBytes} bytes."));
        else if (serves) Queue(_cipher!.Serve);
        return input.Length;
    }

    private void AddLocked(ReadOnlySpan<byte> input, out bool serves, out bool holdsBack, out bool isTooMuch)
    {
        var isWaiting = _cipher!.IsWaiting;
        serves = _cipher.AddLocked(input);
        isTooMuch = _cipher.QueuedInAll > MaxHandshakeBytes;
        // Read on only for the rest of an expected record. If held back, the reading thread continues when the handshake has completed.
        holdsBack = serves || !isWaiting;
        if (!holdsBack || _isHeldBack) return;
        _isHeldBack = true;
        Inner.PauseReading();
    }

    private void CreateStreams()
    {
        _cipher = new CipherStream(Inner.Outbox, _gate, ReadOnLocked);
        _ssl = new SslStream(_cipher, leaveInnerStreamOpen: true);
        _reader = new TlsReader(this, _cipher, _ssl);
    }

    private void ReadOnLocked()
    {
        if (!_isHeldBack) return;
        _isHeldBack = false;
        Inner.ResumeReading();
    }

    private void BeginHandshake() => _ = HandshakeAsync(() => _ssl!.AuthenticateAsClientAsync(_client!, CancellationToken.None));

    private async Task HandshakeAsync(Func<Task> authenticate)
    {
        try
        {
            await authenticate().ConfigureAwait(false);
            FinishHandshake();
        }
        catch (Exception error)
        {
            // The outermost level of the handshake: whatever the other side sent, only its connection ends.
            Close(CloseReason.TlsHandshakeFailed, error);
            if (_isReadingOver && _ssl is { } stream) await stream.DisposeAsync().ConfigureAwait(false);
        }
    }

    private void FinishHandshake()
    {
        Protocol = _ssl!.SslProtocol;
        CipherSuite = _ssl.NegotiatedCipherSuite;
        RemoteCertificate = _ssl.RemoteCertificate as X509Certificate2;
        _timer?.Dispose();
        bool continues;
        lock (_gate)
        {
            _stage = Stage.Finishing;
            (continues, _isSenderWaiting) = (_isSenderWaiting, false);
        }
        _server?.Secured();
        if (continues) Outbox.ContinueBlocked();
        lock (_gate)
        {
            _stage = Stage.Secure;
            ReadOnLocked();
        }
    }

    private int ReceiveSecure(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        var consumed = _reader!.Receive(input, Receiver!, batch, out neededBytes);
        if (!_reader.IsAtEnd) return consumed;
        // Responses to what the peer sent before it closed are sent.
        batch.Flush(null);
        EndByPeer();
        return consumed;
    }

    private void Queue(Action step)
    {
        if (_server is not null) HandshakeWorkers.Queue(step);
        else ThreadPool.UnsafeQueueUserWorkItem(static step => step(), step, preferLocal: false);
    }
}
