using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Configuration;
using Postrider.Resilience;

namespace Postrider.Rpc.Hosting.Channels;

/// <summary>A channel of a container: its name and the source of its settings.</summary>
internal sealed class ChannelRegistration(string name, Func<RpcChannelSettings, RpcChannelSettings>? configure)
{
    private const string Address = "Address";

    public string Name { get; } = name;

    public List<Func<IServiceProvider, RpcInterceptor>> Interceptors { get; } = [];

    private string Path => $"{RpcClientServiceCollectionExtensions.SectionName}:{Name}";

    /// <summary>Creates the channel.</summary>
    /// <exception cref="InvalidConfigurationException">A value is missing or wrong, or a key is unknown.</exception>
    public RpcChannel Create(IServiceProvider services)
    {
        var factories = services.GetServices<RpcChannelFactory>().Append(BuiltInChannelFactory.Instance).ToList();
        var settings = Read(services, factories);
        var codec = Codec(services, settings);
        List<RpcChannel> channels = [.. settings.Addresses.Select(address => Factory(factories, address)!.Create(address, codec, settings))];
        var channel = channels is [var single] && settings is { MaxAttempts: 1, HedgeDelay: null } ? single : Balanced(channels, settings);
        channel = Guarded(channel, settings, services);
        if (settings.Telemetry)
            channel = channel.WithTracing().WithMetrics();
        return channel.WithInterceptors([.. Interceptors.Select(interceptor => interceptor(services))]);
    }

    private static RpcChannel Guarded(RpcChannel channel, RpcChannelSettings settings, IServiceProvider services)
    {
        if (settings is { CircuitBreaker: null, RateLimit: null, Bulkhead: null })
            return channel;
        var options = new RpcResilienceOptions { CircuitBreaker = settings.CircuitBreaker, RateLimit = settings.RateLimit, Bulkhead = settings.Bulkhead };
        return channel.WithInterceptors(new RpcResilienceInterceptor(options with
        {
            Timeout = settings.Timeout ?? options.Timeout,
            TimeProvider = services.GetService<TimeProvider>() ?? options.TimeProvider,
        }));
    }

    private static BalancedChannel Balanced(List<RpcChannel> channels, RpcChannelSettings settings) => new BalancedChannel(channels, new BalancedChannelOptions
    {
        Retry = settings.MaxAttempts > 1 ? new RetryPolicy { MaxAttempts = settings.MaxAttempts } : null,
        Hedge = settings.HedgeDelay is { } delay ? new Hedge { Delay = delay } : null,
    });

    // The predicate of a sentence whose subject is the key.
    private static string NoAddress(string text, List<RpcChannelFactory> factories)
    {
        List<string> schemes = [.. factories.SelectMany(static factory => factory.Schemes).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Select(static scheme => scheme + "://")];
        return $"is '{text}'; it must be an address that begins with {string.Join(", ", schemes[..^1])} or {schemes[^1]}.";
    }

    private RpcChannelSettings Read(IServiceProvider services, List<RpcChannelFactory> factories)
    {
        var configuration = services.GetService<IConfiguration>();
        var settings = configuration is null ? new RpcChannelSettings() : Read(configuration.GetSection(Path), services, factories);
        settings = configure?.Invoke(settings) ?? settings;
        settings = settings with
        {
            Source = configuration?.GetSection(Path).GetSection(Address).Exists() == true
                ? $"Check {Path}:{Address} of the channel '{Name}', and that the server runs."
                : $"Check the address of the channel '{Name}', and that the server runs.",
        };
        if (settings.Addresses.Count == 0)
            throw new InvalidConfigurationException($"{Path}:{Address} is missing. Set it to the address of the service, for example tcp://localhost:5090 or https://orders.example.");
        if (settings.Addresses.FirstOrDefault(address => Factory(factories, address) is null) is { } unknown)
            throw new InvalidConfigurationException($"{Path}:{Address} {NoAddress(unknown.OriginalString, factories)}");
        return settings.HedgeDelay is null || settings.Addresses.Count > 1 || Factory(factories, settings.Addresses[0])!.ResolvesEndpoints
            ? settings
            : throw new InvalidConfigurationException($"{Path}:HedgeDelay needs at least two addresses, and there is one.");
    }

    private static RpcChannelSettings Read(IConfigurationSection section, IServiceProvider services, List<RpcChannelFactory> factories)
    {
        var reader = new SectionReader(section);
        var gates = new ChannelGates(reader, section, services);
        var defaults = new RpcChannelSettings();
        var settings = new RpcChannelSettings
        {
            Addresses = [.. (reader.List(Address) ?? []).Select(text => ReadAddress(reader, text, factories)).OfType<Uri>()],
            ContentType = reader.Text(nameof(RpcChannelSettings.ContentType)),
            Timeout = Time(reader, nameof(RpcChannelSettings.Timeout)),
            ConnectTimeout = Time(reader, nameof(RpcChannelSettings.ConnectTimeout)),
            MaxAttempts = reader.Integer(nameof(RpcChannelSettings.MaxAttempts), min: 1, max: 100) ?? defaults.MaxAttempts,
            HedgeDelay = reader.Duration(nameof(RpcChannelSettings.HedgeDelay)),
            Telemetry = reader.Flag(nameof(RpcChannelSettings.Telemetry)) ?? defaults.Telemetry,
            CircuitBreaker = gates.CircuitBreaker(),
            RateLimit = gates.RateLimit(),
            Bulkhead = gates.Bulkhead(),
        };
        reader.ThrowIfInvalid();
        return settings;
    }

    private static TimeSpan? Time(SectionReader reader, string key)
    {
        var time = reader.Duration(key);
        if (time == TimeSpan.Zero)
            reader.Problem(key, "is zero; it must be greater, or absent for the default.");
        return time;
    }

    private static Uri? ReadAddress(SectionReader reader, string text, List<RpcChannelFactory> factories)
    {
        if (!Uri.TryCreate(text, UriKind.Absolute, out var address) || Factory(factories, address) is null)
            reader.Problem(Address, NoAddress(text, factories));
        else if (address.Scheme is "tcp" or "tls" && address.Port <= 0 && !Factory(factories, address)!.ResolvesEndpoints)
            reader.Problem(Address, $"is '{text}', which has no port; it must be an address such as tcp://localhost:5090.");
        else
            return address;
        return null;
    }

    private RpcCodec Codec(IServiceProvider services, RpcChannelSettings settings)
    {
        var codecs = RpcServedContracts.Codecs(services);
        if (settings.ContentType is not { } contentType)
            return codecs[0];
        return codecs.FirstOrDefault(codec => codec.ContentType == contentType) ?? throw new InvalidConfigurationException(
            $"{Path}:ContentType is '{contentType}'; no codec with it was added. Added: {string.Join(", ", codecs.Select(static codec => codec.ContentType))}.");
    }

    private static RpcChannelFactory? Factory(List<RpcChannelFactory> factories, Uri address)
        => factories.Find(factory => factory.Schemes.Contains(address.Scheme, StringComparer.Ordinal));
}
