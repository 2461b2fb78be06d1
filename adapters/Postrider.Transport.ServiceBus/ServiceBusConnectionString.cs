using System.Globalization;

namespace Postrider.Transport.ServiceBus;

/// <summary>The parts of a connection string.</summary>
internal sealed record ServiceBusConnectionString
{
    private const string Form = "it must have the form 'Endpoint=sb://name.servicebus.windows.net/;SharedAccessKeyName=…;SharedAccessKey=…'";
    private static readonly string[] s_keys = ["Endpoint", "SharedAccessKeyName", "SharedAccessKey", "SharedAccessSignature", "EntityPath", "UseDevelopmentEmulator"];

    internal required Uri Endpoint { get; init; }

    internal string? KeyName { get; init; }

    internal string? Key { get; init; }

    internal string? Signature { get; init; }

    /// <summary>The only queue or topic that the key is for; null for all.</summary>
    internal string? EntityPath { get; init; }

    internal bool IsEmulator { get; init; }

    internal int Port => !Endpoint.IsDefaultPort && Endpoint.Port > 0 ? Endpoint.Port : IsEmulator ? 5672 : 5671;

    /// <summary>The namespace without the key, for messages.</summary>
    internal string Server => string.Create(CultureInfo.InvariantCulture, $"{Endpoint.Host}:{Port}");

    /// <summary>The audience of a token for a queue, topic or subscription.</summary>
    internal string AudienceOf(string entity) => $"sb://{Endpoint.Authority}/{entity}".ToLowerInvariant();

    /// <summary>Parses a connection string. Messages never repeat it, because it contains a key.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it is not valid.</exception>
    internal static ServiceBusConnectionString Parse(string text)
    {
        var parts = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var part in text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals < 1)
                throw Wrong($"has a part without '=': {Form}");
            var key = part[..equals].Trim();
            if (!s_keys.Contains(key, StringComparer.OrdinalIgnoreCase))
                throw Wrong($"has the key '{key}', which is not supported; supported are {string.Join(", ", s_keys)}");
            if (!parts.TryAdd(key, part[(equals + 1)..].Trim()))
                throw Wrong($"has the key '{key}' twice");
        }

        if (!parts.TryGetValue("Endpoint", out var endpoint))
            throw Wrong($"has no Endpoint: {Form}");
        if (!Uri.TryCreate(endpoint, UriKind.Absolute, out var address) || address.Scheme != "sb" || address.Host.Length == 0 || address.UserInfo.Length > 0)
            throw Wrong($"has the Endpoint '{(endpoint.Contains('@', StringComparison.Ordinal) ? "…" : endpoint)}', which must be an address such as sb://name.servicebus.windows.net/");
        var emulator = parts.GetValueOrDefault("UseDevelopmentEmulator");
        if (emulator is not null && !bool.TryParse(emulator, out _))
            throw Wrong($"has UseDevelopmentEmulator '{emulator}', which must be true or false");
        var read = new ServiceBusConnectionString
        {
            Endpoint = address,
            KeyName = NullIfEmpty(parts.GetValueOrDefault("SharedAccessKeyName")),
            Key = NullIfEmpty(parts.GetValueOrDefault("SharedAccessKey")),
            Signature = NullIfEmpty(parts.GetValueOrDefault("SharedAccessSignature")),
            EntityPath = NullIfEmpty(parts.GetValueOrDefault("EntityPath")),
            IsEmulator = emulator is not null && bool.Parse(emulator),
        };
        if (read.Key is null != read.KeyName is null)
            throw Wrong(read.Key is null ? "has a SharedAccessKeyName and no SharedAccessKey: add the key, or remove the name" : "has a SharedAccessKey and no SharedAccessKeyName: add the name of the key");
        if (read.Key is not null && read.Signature is not null)
            throw Wrong("has a SharedAccessKey and a SharedAccessSignature: remove one of them");
        return read;
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static PostriderException Wrong(string what) => new(PostriderError.Configuration, $"ServiceBusOptions.ConnectionString {what}.");
}
