using Microsoft.Extensions.Logging;

namespace Postrider.Broker.JetStream.Logging;

/// <summary>The log messages of streams.</summary>
internal static partial class StreamLog
{
    [LoggerMessage(EventId = 201, Level = LogLevel.Error, Message = "JetStream failed to store a msg on stream '{Account} > {Stream}': {Problem}")]
    public static partial void StoreFailed(ILogger logger, string account, string stream, string problem);

    [LoggerMessage(EventId = 202, Level = LogLevel.Information, Message = "  Restored {Messages} messages for stream '{Account} > {Stream}' in {Milliseconds} ms")]
    public static partial void Restored(ILogger logger, string account, string stream, long messages, long milliseconds);

    [LoggerMessage(EventId = 203, Level = LogLevel.Warning, Message = "  Stream '{Account} > {Stream}': {Note}")]
    public static partial void RecoveryNote(ILogger logger, string account, string stream, string note);

    [LoggerMessage(EventId = 204, Level = LogLevel.Error, Message = "  Stream '{Account} > {Stream}' cannot be opened; its files are left unchanged: {Problem}")]
    public static partial void NotRestored(ILogger logger, string account, string stream, string problem);

    [LoggerMessage(EventId = 205, Level = LogLevel.Information, Message = "{Progress}")]
    public static partial void Recovering(ILogger logger, string progress);

    [LoggerMessage(EventId = 206, Level = LogLevel.Warning, Message = "JetStream stream '{Account} > {Stream}': {Note}")]
    public static partial void Damage(ILogger logger, string account, string stream, string note);

    [LoggerMessage(EventId = 219, Level = LogLevel.Error, Message = "JetStream stream '{Account} > {Stream}' no longer stores messages: its files were removed from \"{Folder}\" while the server was running")]
    public static partial void FilesRemoved(ILogger logger, string account, string stream, string folder);

    [LoggerMessage(EventId = 207, Level = LogLevel.Information, Message = "JetStream stream '{Account} > {Stream}' accepts messages again")]
    public static partial void Resumed(ILogger logger, string account, string stream);

    [LoggerMessage(EventId = 208, Level = LogLevel.Information, Message = "Starting JetStream, store directory \"{Folder}\"")]
    public static partial void Starting(ILogger logger, string folder);

    [LoggerMessage(EventId = 209, Level = LogLevel.Error, Message = "JetStream cannot write to its store directory \"{Folder}\" or lock it against other servers: {Problem}")]
    public static partial void NotWritable(ILogger logger, string folder, string problem);

    [LoggerMessage(EventId = 222, Level = LogLevel.Information, Message = "JetStream encryption: {Note}")]
    public static partial void Encryption(ILogger logger, string note);

    [LoggerMessage(EventId = 210, Level = LogLevel.Information, Message = "JetStream recovered {Streams} streams in {Milliseconds} ms")]
    public static partial void Recovered(ILogger logger, int streams, long milliseconds);

    [LoggerMessage(EventId = 211, Level = LogLevel.Critical, Message = "JetStream took stream '{Account} > {Stream}' out of service")]
    public static partial void Offline(ILogger logger, string account, string stream, Exception error);

    [LoggerMessage(EventId = 212, Level = LogLevel.Warning, Message = "Snapshot of stream '{Account} > {Stream}' failed: {Problem}")]
    public static partial void SnapshotFailed(ILogger logger, string account, string stream, string problem);

    [LoggerMessage(EventId = 213, Level = LogLevel.Information, Message = "Completed restore of {Bytes} bytes for stream '{Account} > {Stream}'")]
    public static partial void RestoreCompleted(ILogger logger, string account, string stream, long bytes);

    [LoggerMessage(EventId = 214, Level = LogLevel.Warning, Message = "Restore failed after {Bytes} bytes for stream '{Account} > {Stream}': {Problem}")]
    public static partial void RestoreFailed(ILogger logger, string account, string stream, long bytes, string problem);

    [LoggerMessage(EventId = 215, Level = LogLevel.Warning, Message = "JetStream resource limits exceeded for server: {Storage} streams hold or would reserve {Bytes} bytes; the limit is {Max} ({Setting})")]
    public static partial void ServerIsFull(ILogger logger, string storage, long bytes, long max, string setting);

    [LoggerMessage(EventId = 217, Level = LogLevel.Warning, Message = "JetStream requests of account '{Account}' are still being handled; the shutdown does not wait for them")]
    public static partial void RequestsLeft(ILogger logger, string account);

    [LoggerMessage(EventId = 218, Level = LogLevel.Error, Message = "JetStream stream '{Account} > {Stream}' could not store a message")]
    public static partial void PublishFailed(ILogger logger, string account, string stream, Exception error);

    [LoggerMessage(EventId = 216, Level = LogLevel.Error, Message = "JetStream request {Subject} failed")]
    public static partial void RequestFailed(ILogger logger, string subject, Exception error);

    [LoggerMessage(EventId = 223, Level = LogLevel.Warning, Message = "JetStream requests of account '{Account}': {Waiting} wait ({Bytes} bytes); of users who have had their share, further ones are refused with 503 until fewer wait")]
    public static partial void RequestsRefused(ILogger logger, string account, int waiting, long bytes);

    [LoggerMessage(EventId = 220, Level = LogLevel.Warning, Message = "JetStream cannot follow stream '{Source}' for '{Account} > {Stream}' and tries again: {Problem}")]
    public static partial void SourceFailed(ILogger logger, string source, string account, string stream, string problem);

    [LoggerMessage(EventId = 221, Level = LogLevel.Warning, Message = "JetStream source stream '{Source}' for '{Account} > {Stream}' was recreated: its messages are copied from the first")]
    public static partial void SourceWasRecreated(ILogger logger, string source, string account, string stream);
}
