using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Configuration;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Flow.Hosting;

/// <summary>The content of a configuration section.</summary>
internal sealed class FlowSection
{
    private readonly Dictionary<string, Func<TimeProvider, Bulkhead>?> _bulkheads = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, Func<TimeProvider, RateLimiter>?> _rateLimiters = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, Func<TimeProvider, CircuitBreaker>?> _circuitBreakers = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, Func<TimeProvider, RetryPolicy>?> _retries = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, OperationSettings> _operations = new(StringComparer.OrdinalIgnoreCase);

    /// <exception cref="InvalidConfigurationException">Values are missing or wrong; the text has a line for each problem.</exception>
    internal static FlowSection Read(IConfigurationSection section)
    {
        var reader = new SectionReader(section);
        var read = new FlowSection();
        Each(section, reader, "Bulkheads", read._bulkheads, GateSections.Bulkhead);
        Each(section, reader, "RateLimiters", read._rateLimiters, GateSections.RateLimiter);
        Each(section, reader, "CircuitBreakers", read._circuitBreakers, GateSections.CircuitBreaker);
        Each(section, reader, "Retries", read._retries, GateSections.Retry);
        Each(section, reader, "Operations", read._operations, read.Operation);
        reader.ThrowIfInvalid();
        return read;
    }

    internal void AddTo(IServiceCollection services)
    {
        Add(services, _bulkheads);
        Add(services, _rateLimiters);
        Add(services, _circuitBreakers);
        Add(services, _retries);
        foreach (var (name, settings) in _operations)
        {
            services.AddKeyedSingleton(name, (_, _) => new FlowMeter(name));
            services.AddKeyedSingleton(name, (provider, _) => settings.Create(provider, name));
        }
    }

    private static void Each<T>(IConfigurationSection section, SectionReader reader, string key, Dictionary<string, T> target, Func<SectionReader, T> read)
    {
        if (reader.Section(key) is not { } all)
            return;
        foreach (var child in section.GetSection(key).GetChildren())
        {
            if (all.Section(child.Key) is { } own)
                target.Add(child.Key, read(own));
            else
                all.Problem(child.Key, "is empty; it must have keys of its own.");
        }
    }

    private static void Add<T>(IServiceCollection services, Dictionary<string, Func<TimeProvider, T>?> gates)
        where T : class
    {
        foreach (var (name, create) in gates)
            services.AddKeyedSingleton(name, (provider, _) => create!(provider.GetService<TimeProvider>() ?? TimeProvider.System));
    }

    private static string? Gate<T>(SectionReader reader, string key, Dictionary<string, T> gates, string section)
    {
        var name = reader.Text(key);
        if (name is null)
            return null;
        // Configuration ignores case, the keys of the container do not.
        if (gates.Keys.FirstOrDefault(gate => string.Equals(gate, name, StringComparison.OrdinalIgnoreCase)) is { } found)
            return found;
        reader.Problem(key, gates.Count == 0
            ? $"is '{name}', but the section {section} has none. Add {section}:{name}."
            : $"is '{name}', which the section {section} does not have. It has: {string.Join(", ", gates.Keys.Order(StringComparer.Ordinal))}.");
        return null;
    }

    private OperationSettings Operation(SectionReader reader)
    {
        var defaults = new FlowOptions();
        var options = new FlowOptions
        {
            MaxConcurrency = reader.Integer(nameof(defaults.MaxConcurrency), min: 1) is { } limit ? limit : defaults.MaxConcurrency,
            MaxThreads = reader.Integer(nameof(defaults.MaxThreads), min: 1),
            Order = reader.Choice<ResultOrder>(nameof(defaults.Order)) ?? defaults.Order,
            Window = reader.Integer(nameof(defaults.Window), min: 1, max: 1 << 24) ?? defaults.Window,
            Errors = reader.Choice<ErrorMode>(nameof(defaults.Errors)) ?? defaults.Errors,
            Partial = reader.Choice<PartialResults>(nameof(defaults.Partial)) ?? defaults.Partial,
            ItemTimeout = reader.Duration(nameof(defaults.ItemTimeout)) ?? defaults.ItemTimeout,
            Deadline = reader.Duration(nameof(defaults.Deadline)) ?? defaults.Deadline,
        };
        return new(
            options,
            Gate(reader, nameof(defaults.Bulkhead), _bulkheads, "Bulkheads"),
            Gate(reader, nameof(defaults.RateLimit), _rateLimiters, "RateLimiters"),
            Gate(reader, nameof(defaults.CircuitBreaker), _circuitBreakers, "CircuitBreakers"),
            Gate(reader, nameof(defaults.Retry), _retries, "Retries"));
    }

    private sealed record OperationSettings(FlowOptions Options, string? Bulkhead, string? RateLimit, string? CircuitBreaker, string? Retry)
    {
        internal FlowOptions Create(IServiceProvider services, string name) => Options with
        {
            Bulkhead = Find<Bulkhead>(services, Bulkhead),
            RateLimit = Find<RateLimiter>(services, RateLimit),
            CircuitBreaker = Find<CircuitBreaker>(services, CircuitBreaker),
            Retry = Find<RetryPolicy>(services, Retry),
            Meter = services.GetRequiredKeyedService<FlowMeter>(name),
            TimeProvider = services.GetService<TimeProvider>() ?? TimeProvider.System,
        };

        private static T? Find<T>(IServiceProvider services, string? name)
            where T : class
            => name is null ? null : services.GetRequiredKeyedService<T>(name);
    }
}
