using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Sessions;

/// <summary>The connection that an event is about: a client's or a leaf node's.</summary>
/// <param name="Info">Its state.</param>
/// <param name="User">The user that its CONNECT names; null when it names none.</param>
/// <param name="Token">The token in its CONNECT; null without one.</param>
internal readonly record struct EventConnection(ConnectionInfo Info, string? User, string? Token);
