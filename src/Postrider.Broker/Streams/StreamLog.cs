using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Streams;

/// <summary>Log lines of streams.</summary>
internal static partial class StreamLog
{
    [LoggerMessage(Level = LogLevel.Error, Message = "JetStream failed to store a msg on stream '{Account} > {Stream}': {Problem}")]
    public static partial void StoreFailed(ILogger logger, string account, string stream, string problem);

    [LoggerMessage(Level = LogLevel.Information, Message = "  Restored {Messages} messages for stream '{Account} > {Stream}' in {Milliseconds} ms")]
    public static partial void Restored(ILogger logger, string account, string stream, long messages, long milliseconds);

    [LoggerMessage(Level = LogLevel.Warning, Message = "  Stream '{Account} > {Stream}': {Note}")]
    public static partial void RecoveryNote(ILogger logger, string account, string stream, string note);

    [LoggerMessage(Level = LogLevel.Error, Message = "  Stream '{Account} > {Stream}' can not be opened, its files are left as they are: {Problem}")]
    public static partial void NotRestored(ILogger logger, string account, string stream, string problem);

    [LoggerMessage(Level = LogLevel.Information, Message = "{Progress}")]
    public static partial void Recovering(ILogger logger, string progress);

    [LoggerMessage(Level = LogLevel.Warning, Message = "JetStream stream '{Account} > {Stream}': {Note}")]
    public static partial void Damage(ILogger logger, string account, string stream, string note);

    [LoggerMessage(Level = LogLevel.Information, Message = "JetStream stream '{Account} > {Stream}' takes messages again")]
    public static partial void Resumed(ILogger logger, string account, string stream);

    [LoggerMessage(Level = LogLevel.Information, Message = "Starting JetStream, store directory \"{Folder}\"")]
    public static partial void Starting(ILogger logger, string folder);

    [LoggerMessage(Level = LogLevel.Error, Message = "JetStream cannot write to its store directory \"{Folder}\" nor keep other servers out of it: {Problem}")]
    public static partial void NotWritable(ILogger logger, string folder, string problem);

    [LoggerMessage(Level = LogLevel.Information, Message = "JetStream recovered {Streams} streams in {Milliseconds} ms")]
    public static partial void Recovered(ILogger logger, int streams, long milliseconds);

    [LoggerMessage(Level = LogLevel.Critical, Message = "JetStream takes stream '{Account} > {Stream}' out of service")]
    public static partial void Offline(ILogger logger, string account, string stream, Exception error);

    [LoggerMessage(Level = LogLevel.Warning, Message = "Snapshot of stream '{Account} > {Stream}' failed: {Problem}")]
    public static partial void SnapshotFailed(ILogger logger, string account, string stream, string problem);

    [LoggerMessage(Level = LogLevel.Information, Message = "Completed restore of {Bytes} bytes for stream '{Account} > {Stream}'")]
    public static partial void RestoreCompleted(ILogger logger, string account, string stream, long bytes);

    [LoggerMessage(Level = LogLevel.Warning, Message = "Restore failed after {Bytes} bytes for stream '{Account} > {Stream}': {Problem}")]
    public static partial void RestoreFailed(ILogger logger, string account, string stream, long bytes, string problem);

    [LoggerMessage(Level = LogLevel.Warning, Message = "JetStream resource limits exceeded for server: {Storage} streams hold or would reserve {Bytes} bytes, and may {Most} ({Setting})")]
    public static partial void ServerIsFull(ILogger logger, string storage, long bytes, long most, string setting);

    [LoggerMessage(Level = LogLevel.Error, Message = "JetStream request {Subject} failed")]
    public static partial void RequestFailed(ILogger logger, string subject, Exception error);
}
