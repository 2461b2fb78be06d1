using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>The connections of one run, closed together.</summary>
/// <param name="port">Where the server listens.</param>
/// <param name="user">The user for the connections, whose password is the same text; null for connections without credentials.</param>
internal sealed class SocketSet(int port, string? user = null) : IDisposable
{
    private readonly List<Connection> _open = [];

    public Connection[] Open(int count)
    {
        var connections = new Connection[count];
        for (var i = 0; i < count; i++)
        {
            connections[i] = Connection.Open(port, user);
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
