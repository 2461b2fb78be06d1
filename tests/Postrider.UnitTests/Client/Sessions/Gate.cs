using System.Net.Sockets;
using Postrider.Sockets;

namespace Postrider.UnitTests.Client.Sessions;

/// <summary>A way to a server that can be shut: then it breaks what it dialled and lets nobody through.</summary>
internal sealed class Gate(IConnector inner) : IConnector
{
    private volatile bool _isShut;
    private Connection? _last;

    public async ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct)
    {
        if (_isShut) throw new SocketException((int)SocketError.ConnectionRefused);
        return _last = await inner.ConnectAsync(host, port, ct);
    }

    public void Shut()
    {
        _isShut = true;
        _last?.Close();
    }

    public void Open() => _isShut = false;
}
