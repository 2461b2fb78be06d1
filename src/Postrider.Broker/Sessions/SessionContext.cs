using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>What all sessions of a broker share.</summary>
internal sealed class SessionContext
{
    private static readonly WireJsonContext Json = new(new JsonSerializerOptions
    {
        PropertyNameCaseInsensitive = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });

    private long _lastId;

    public SessionContext(BrokerOptions options, Account account, ServerInfo info, SendBatchSet batches, ILogger logger)
    {
        Account = account;
        Info = info;
        Batches = batches;
        Logger = logger;
        Apply(options);
    }

    /// <summary>The broker's options; replaced by a reload.</summary>
    public BrokerOptions Options { get; private set; }

    /// <summary>The account of sessions until they say who they are.</summary>
    public Account Account { get; }

    /// <summary>Decides who a session is; replaced by a reload.</summary>
    public Authenticator Authenticator { get; private set; }

    /// <summary>What the broker says of itself; replaced when it changes.</summary>
    public ServerInfo Info { get; set; }

    /// <summary>The batches of all connections.</summary>
    public SendBatchSet Batches { get; }

    /// <summary>The open and remembered sessions.</summary>
    public SessionRegistry Sessions { get; } = new();

    /// <summary>The log.</summary>
    public ILogger Logger { get; }

    /// <summary>Writes every operation to the log; null when that is off.</summary>
    public ProtocolTrace? Trace { get; private set; }

    /// <summary>The clock.</summary>
    public TimeProvider Time => Options.TimeProvider;

    /// <summary>Whether headers are understood.</summary>
    public bool SupportsHeaders => !Options.NoHeaderSupport;

    /// <summary>The number of the next session, from 1.</summary>
    public ulong NextId() => (ulong)Interlocked.Increment(ref _lastId);

    /// <summary>Works by these options from now on. What sessions keep of the old ones is theirs to change.</summary>
    [MemberNotNull(nameof(Options), nameof(Authenticator))]
    public void Apply(BrokerOptions options)
    {
        Options = options;
        Authenticator = new Authenticator(options.Authorization, Account);
        Trace = options.Logging.Trace ? new ProtocolTrace(Logger, options.Logging.MaxTracedMessageLength) : null;
    }

    /// <summary>Parses a CONNECT.</summary>
    /// <returns>Null for anything but a JSON object of its form.</returns>
    public static ConnectInfo? ParseConnect(ReadOnlySpan<byte> text) => ConnectParser.Parse(text);

    /// <summary>Writes INFO for one session.</summary>
    public byte[] RenderInfo(ulong clientId, string? clientIp, string? accountName)
    {
        var info = Info with
        {
            ClientId = clientId,
            ClientIp = clientIp,
            RemoteAccount = accountName,
            ConnectInfo = accountName is not null,
        };
        var json = JsonSerializer.SerializeToUtf8Bytes(info, Json.ServerInfo);
        return [.. "INFO "u8, .. json, .. " \r\n"u8];
    }
}
