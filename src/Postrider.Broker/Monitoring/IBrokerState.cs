using System.Net;
using System.Net.Security;
using System.Text.Json.Nodes;
using Postrider.Sockets;

namespace Postrider.Broker.Monitoring;

/// <summary>The state of a running broker for monitoring.</summary>
/// <remarks>Thread-safe: called from any thread while traffic flows. Everything is read on demand from the per-connection
/// counters, so that counting does not slow the hot paths; a reading is not a consistent snapshot.</remarks>
public interface IBrokerState
{
    /// <summary>The options the broker runs with.</summary>
    BrokerOptions Options { get; }

    /// <summary>The broker's public key, generated at its start.</summary>
    string ServerId { get; }

    /// <summary>The configured name, or <see cref="ServerId"/>.</summary>
    string ServerName { get; }

    /// <summary>When the broker started.</summary>
    DateTimeOffset StartedAt { get; }

    /// <summary>When the options were last applied: at the start, or by a reload.</summary>
    DateTimeOffset ConfiguredAt { get; }

    /// <summary>The port clients connect to, after a random one was chosen; zero when the broker does not listen.</summary>
    int ClientPort { get; }

    /// <summary>Addresses that clients may connect to, as sent in INFO (<c>host:port</c>).</summary>
    IReadOnlyList<string> ConnectUrls { get; }

    /// <summary>The port of the WebSocket listener, after a random one was chosen; zero without one.</summary>
    int WebSocketPort => 0;

    /// <summary>When the certificate of the WebSocket listener expires; null without TLS.</summary>
    DateTimeOffset? WebSocketCertificateNotAfter => null;

    /// <summary>The port of the listener for leaf nodes, after a random one was chosen; zero without one.</summary>
    int LeafNodePort => 0;

    /// <summary>When the certificate of the listener for leaf nodes expires; null without TLS.</summary>
    DateTimeOffset? LeafNodeCertificateNotAfter => null;

    /// <summary>The cluster's name; empty without a cluster.</summary>
    string ClusterName => "";

    /// <summary>The port of the listener for routes, after a random one was chosen; zero without one.</summary>
    int ClusterPort => 0;

    /// <summary>When the certificate of routes expires; null without TLS.</summary>
    DateTimeOffset? ClusterCertificateNotAfter => null;

    /// <summary>Reads the connections to other servers of the cluster.</summary>
    /// <param name="withSubscriptions">Whether the other servers' subscriptions are listed.</param>
    IReadOnlyList<RouteState> Routes(bool withSubscriptions) => [];

    /// <summary>Reads the leaf node connections.</summary>
    /// <param name="withSubscriptions">Whether the other servers' subscriptions are listed.</param>
    IReadOnlyList<LeafState> LeafNodes(bool withSubscriptions) => [];

    /// <summary>When the certificate for clients expires; null without TLS.</summary>
    DateTimeOffset? TlsCertificateNotAfter => null;

    /// <summary>The options of TLS handshakes for the monitoring pages, with the current certificate; null without TLS.</summary>
    SslServerAuthenticationOptions? MonitoringTls => null;

    /// <summary>Connects a client that an extension serves, such as a page of the dashboard: it authenticates like any client.</summary>
    /// <param name="client">The client's address, for limits and connection lists.</param>
    /// <returns>A connection that does not read yet; null when the broker accepts none.</returns>
    Connection? ConnectClient(IPEndPoint client) => null;

    /// <summary>The reason why the broker is unhealthy; null if it is healthy.</summary>
    string? HealthProblem { get; }

    /// <summary>The losses of a broker that is otherwise healthy; null if there are none.</summary>
    string? HealthWarning => null;

    /// <summary>The state of the streams; null if JetStream is disabled.</summary>
    JetStreamState? ReadJetStream() => null;

    /// <summary>The accounts' streams and consumers; null if JetStream is disabled.</summary>
    /// <param name="query">The query.</param>
    JsonArray? ReadJetStreamDetails(JszQuery query) => null;

    /// <summary>Totals of all connections since the start, closed ones included.</summary>
    BrokerCounters ReadCounters();

    /// <summary>The system account's name; null without one.</summary>
    string? SystemAccount => null;

    /// <summary>The accounts, by name.</summary>
    IReadOnlyList<AccountState> ReadAccounts() => [];

    /// <summary>The state of every open connection of clients and leaf nodes, in any order.</summary>
    /// <param name="withSubscriptions">Whether to fill <see cref="ConnectionInfo.Subscriptions"/>.</param>
    IReadOnlyList<ConnectionInfo> OpenConnections(bool withSubscriptions);

    /// <summary>The last state of the closed connections that are still known, in any order.</summary>
    /// <param name="withSubscriptions">Whether to fill <see cref="ConnectionInfo.Subscriptions"/>.</param>
    IReadOnlyList<ConnectionInfo> ClosedConnections(bool withSubscriptions);

    /// <summary>Counters of the subject tree.</summary>
    /// <param name="account">One account, or null for the total of all.</param>
    SubscriptionCounters ReadSubscriptionCounters(string? account);

    /// <summary>Every subscription, in any order.</summary>
    /// <param name="account">One account, or null for all.</param>
    IReadOnlyList<SubscriptionState> Subscriptions(string? account);
}
