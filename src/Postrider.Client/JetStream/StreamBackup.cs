using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream;

/// <summary>What a backup holds beside the archive: what its restoring needs to know.</summary>
/// <param name="Config">The stream's configuration.</param>
/// <param name="State">What was in it.</param>
public sealed record StreamBackup(StreamConfig Config, StreamState State);
