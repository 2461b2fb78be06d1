// Hot path: FrameConnection, FrameSendQueue -> this -> Socket. Allocations: none.
using System.Net;
using System.Net.Sockets;

namespace Postrider.Rpc.Framing;

/// <summary>A TCP or Unix domain socket based on the framework's sockets, for all systems.</summary>
internal sealed class SocketFrameTransport : FrameTransport
{
    private readonly Socket _socket;
    private readonly SocketAsyncEventArgs _receiving = new(true);
    private readonly SocketAsyncEventArgs _sending = new(true);

    public SocketFrameTransport(Socket socket)
    {
        _socket = socket;
        if (socket.AddressFamily != AddressFamily.Unix)
            socket.NoDelay = true;
        Peer = PeerName(socket.RemoteEndPoint);
        _receiving.UserToken = _sending.UserToken = this;
        _receiving.Completed += static (_, args) => ((SocketFrameTransport)args.UserToken!).OnReceiveCompleted();
        _sending.Completed += static (_, args) => ((SocketFrameTransport)args.UserToken!).OnSendCompleted();
    }

    public override string Peer { get; }

    /// <summary>Describes a remote endpoint.</summary>
    public static string PeerName(EndPoint? remote) => remote?.ToString() is { Length: > 0 } peer ? peer : "a local process";

    public override bool Receive(byte[] buffer, int offset, int count)
    {
        _receiving.SetBuffer(buffer, offset, count);
        if (_socket.ReceiveAsync(_receiving))
            return true;
        NoteReceived();
        return false;
    }

    public override bool Send(byte[] buffer, int offset, int count)
    {
        _sending.SetBuffer(buffer, offset, count);
        if (_socket.SendAsync(_sending))
            return true;
        NoteSent();
        return false;
    }

    public override void Dispose() => _socket.Dispose();

    private void OnReceiveCompleted()
    {
        NoteReceived();
        OnReceived();
    }

    private void OnSendCompleted()
    {
        NoteSent();
        OnSent();
    }

    private void NoteReceived()
    {
        Received = _receiving.BytesTransferred;
        if (_receiving.SocketError != SocketError.Success)
            (Received, ReceiveFailure) = (0, new SocketException((int)_receiving.SocketError));
    }

    private void NoteSent()
    {
        Sent = _sending.BytesTransferred;
        if (_sending.SocketError != SocketError.Success)
            SendFailure = new SocketException((int)_sending.SocketError);
    }
}
