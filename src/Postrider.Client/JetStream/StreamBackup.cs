using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream;

/// <summary>The description of a backup, which is required to restore it.</summary>
/// <param name="Config">The stream's configuration.</param>
/// <param name="State">The stream's state.</param>
public sealed record StreamBackup(StreamConfig Config, StreamState State);
