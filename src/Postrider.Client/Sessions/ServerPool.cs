using System.Net;

namespace Postrider.Client.Sessions;

/// <summary>The servers to try: configured ones and those that the cluster announced.</summary>
internal sealed class ServerPool
{
    // Guards the list and the position.
    private readonly Lock _gate = new();
    private readonly List<Server> _servers = [];
    private readonly Random _random;
    private readonly bool _shuffle;
    private int _next;

    public ServerPool(ClientOptions options, Random random)
    {
        (_random, _shuffle) = (random, options.RandomizeServers);
        foreach (var text in options.Servers) _servers.Add(new Server(ServerAddress.Parse(text), Configured: true));
        if (_shuffle) Shuffle(0);
    }

    public int Count
    {
        get
        {
            lock (_gate) return _servers.Count;
        }
    }

    /// <summary>The addresses, in the order in which they are tried.</summary>
    public IReadOnlyList<string> Addresses
    {
        get
        {
            lock (_gate) return [.. _servers.Select(static server => server.Address.HostAndPort)];
        }
    }

    /// <summary>The next server to try, or null when none is left; <paramref name="startsRound"/> when all were tried once more.</summary>
    public Server? Next(out bool startsRound)
    {
        lock (_gate)
        {
            startsRound = _next >= _servers.Count;
            if (startsRound) _next = 0;
            return _servers.Count == 0 ? null : _servers[_next++];
        }
    }

    /// <summary>Starts a new search at the first server; the one that was just lost comes last.</summary>
    public void Restart(Server? lost)
    {
        lock (_gate)
        {
            if (lost is not null && _servers.Remove(lost)) _servers.Add(lost);
            _next = 0;
        }
    }

    public void Remove(Server server)
    {
        lock (_gate)
        {
            var index = _servers.IndexOf(server);
            if (index < 0) return;
            _servers.RemoveAt(index);
            if (index < _next) _next--;
        }
    }

    /// <summary>Applies what a server announces about its cluster: adds new servers, drops discovered ones that are gone.</summary>
    /// <returns>Whether there were new ones.</returns>
    public bool Update(IReadOnlyList<string> told, Server current)
    {
        lock (_gate)
        {
            // An announced server is as well protected as the one that announced it, and its certificate may contain no address.
            var (secure, name) = (current.Address.RequiresTls, current.Address.TlsName ?? current.Address.Host);
            var addresses = told.Select(ServerAddress.Parse)
                .Select(address => address with
                {
                    RequiresTls = secure,
                    TlsName = IPAddress.TryParse(address.Host, out _) ? name : null,
                    WebSocketTarget = current.Address.WebSocketTarget,
                })
                .ToList();
            _servers.RemoveAll(server => !server.Configured && !ReferenceEquals(server, current) && !addresses.Exists(server.IsAt));
            var firstNew = _servers.Count;
            foreach (var address in addresses)
                if (!_servers.Exists(server => server.IsAt(address))) _servers.Add(new Server(address, Configured: false));
            if (_shuffle) Shuffle(firstNew);
            return _servers.Count > firstNew;
        }
    }

    private void Shuffle(int from)
    {
        for (var i = _servers.Count - 1; i > from; i--)
        {
            var j = _random.Next(from, i + 1);
            (_servers[i], _servers[j]) = (_servers[j], _servers[i]);
        }
    }

    /// <summary>One server and the state of its attempts.</summary>
    public sealed record Server(ServerAddress Address, bool Configured)
    {
        private ConnectCredentials? _rejected;

        /// <summary>Failed attempts in a row.</summary>
        public int Failures { get; private set; }

        /// <summary>Consecutive rejections of the same credentials: two are conclusive.</summary>
        public int Rejections { get; private set; }

        /// <summary>The credentials provided for the current attempt; null when there were none.</summary>
        public ConnectCredentials? Offered { get; set; }

        /// <summary>Why the last attempt was rejected, if it was because of the credentials.</summary>
        public NatsClientException? LastRejection { get; set; }

        public void Succeeded()
        {
            Failures = Rejections = 0;
            _rejected = null;
            LastRejection = null;
        }

        public void Failed(NatsClientException error, bool isRejection)
        {
            Failures++;
            var isRenewed = Offered is not null && _rejected is not null && !Offered.IsSameAs(_rejected);
            if (!isRejection) Rejections = 0;
            else Rejections = isRenewed ? 1 : Rejections + 1;
            _rejected = isRejection ? Offered : null;
            LastRejection = isRejection ? error : null;
        }

        public bool IsAt(ServerAddress other)
            => Address.Port == other.Port && string.Equals(Address.Host, other.Host, StringComparison.OrdinalIgnoreCase);

        public bool Equals(Server? other) => ReferenceEquals(this, other);

        public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);
    }
}
