using System.Net;
using System.Net.WebSockets;
using System.Threading.Channels;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;
using Postrider.Sockets;

namespace Postrider.Broker.Http;

/// <summary>A page of the dashboard as a client of the broker: NATS's protocol over a WebSocket at the address of the pages.</summary>
/// <remarks>Broker data is buffered up to <see cref="MaxWaitingBytes"/>; beyond that, the broker's limits for slow consumers apply.</remarks>
internal sealed class DashboardSocket : IReceiver
{
    private const int MaxWaitingBytes = 256 * 1024;
    private const int ReadBytes = 16 * 1024;
    private static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(1);

    private readonly Channel<byte[]> _outgoing = Channel.CreateUnbounded<byte[]>(new UnboundedChannelOptions { SingleReader = true, SingleWriter = true });
    private readonly Connection _connection;
    private readonly WebSocket _socket;

    // Guards the two fields below.
    private readonly Lock _gate = new();
    private int _waitingBytes;
    private bool _isPaused;

    private DashboardSocket(Connection connection, WebSocket socket) => (_connection, _socket) = (connection, socket);

    /// <summary>Serves one page until it or the broker closes.</summary>
    /// <param name="context">A request that may become a WebSocket.</param>
    /// <param name="state">The broker.</param>
    internal static async Task ServeAsync(HttpContext context, IBrokerState state)
    {
        var request = context.Connection;
        if (request.RemoteIpAddress is not { } address || state.ConnectClient(new IPEndPoint(address, request.RemotePort)) is not { } connection)
        {
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            return;
        }
        try
        {
            using var socket = await context.WebSockets.AcceptWebSocketAsync().ConfigureAwait(false);
            await new DashboardSocket(connection, socket).RunAsync(context.RequestAborted).ConfigureAwait(false);
        }
        finally
        {
            connection.Close();
        }
    }

    /// <inheritdoc/>
    public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        Waits(input.Length);
        _outgoing.Writer.TryWrite(input.ToArray());
        return input.Length;
    }

    /// <inheritdoc/>
    public void Closed(CloseReason reason, Exception? error) => _outgoing.Writer.TryComplete();

    private async Task RunAsync(CancellationToken ct)
    {
        _connection.Start(this);
        var sending = SendAsync(ct);
        try
        {
            await ReceiveAsync(ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is WebSocketException or OperationCanceledException or IOException)
        {
            // The browser has disconnected.
        }
        _connection.CloseAfterSending();
        await sending.ConfigureAwait(false);
    }

    private async Task ReceiveAsync(CancellationToken ct)
    {
        var buffer = new byte[ReadBytes];
        while (true)
        {
            var result = await _socket.ReceiveAsync(buffer.AsMemory(), ct).ConfigureAwait(false);
            if (result.MessageType == WebSocketMessageType.Close) return;
            _connection.Outbox.Send(buffer.AsSpan(0, result.Count));
            if (_connection.Outbox.PendingBytes < MaxWaitingBytes) continue;
            var below = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _connection.Outbox.WhenBelow(MaxWaitingBytes, below.SetResult);
            await below.Task.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    private async Task SendAsync(CancellationToken ct)
    {
        try
        {
            await foreach (var bytes in _outgoing.Reader.ReadAllAsync(ct).ConfigureAwait(false))
            {
                await _socket.SendAsync(bytes.AsMemory(), WebSocketMessageType.Binary, endOfMessage: true, ct).ConfigureAwait(false);
                Waits(-bytes.Length);
            }
            using var patience = new CancellationTokenSource(CloseLimit);
            await _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, patience.Token).ConfigureAwait(false);
        }
        catch (Exception error) when (error is WebSocketException or OperationCanceledException or IOException or ObjectDisposedException)
        {
            _connection.Close();
        }
    }

    private void Waits(int bytes)
    {
        lock (_gate)
        {
            _waitingBytes += bytes;
            if (_isPaused ? _waitingBytes > MaxWaitingBytes / 2 : _waitingBytes <= MaxWaitingBytes) return;
            _isPaused = !_isPaused;
            if (_isPaused) _connection.PauseReading();
            else _connection.ResumeReading();
        }
    }
}
