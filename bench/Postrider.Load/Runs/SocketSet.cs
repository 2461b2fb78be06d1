using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>The connections of one run, closed together.</summary>
internal sealed class SocketSet(int port) : IDisposable
{
    private readonly List<Connection> _open = [];

    public Connection[] Open(int count)
    {
        var connections = new Connection[count];
        for (var i = 0; i < count; i++)
        {
            connections[i] = Connection.Open(port);
            _open.Add(connections[i]);
        }

        return connections;
    }

    public void Dispose()
    {
        foreach (var connection in _open)
            connection.Dispose();
    }
}
