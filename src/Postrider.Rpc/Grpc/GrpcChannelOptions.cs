namespace Postrider.Rpc;

/// <summary>How a <see cref="GrpcChannel"/> calls.</summary>
public sealed class GrpcChannelOptions
{
    /// <summary>The package of the service in its <c>.proto</c> file, which stands before its name; empty for none.</summary>
    public string Package { get; init; } = "";

    /// <summary>How long a call without streams may take whose <see cref="CallContext.Timeout"/> says nothing; infinite for no limit.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The largest message that is read, in bytes, as it is when it is no longer compressed.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
