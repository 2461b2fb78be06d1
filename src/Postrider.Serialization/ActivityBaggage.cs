using System.Diagnostics;

namespace Postrider.Serialization;

/// <summary>The baggage of an activity as headers, in the form of <see cref="DistributedContextPropagator.Current"/>, and back.</summary>
/// <remarks>Source: W3C Baggage.</remarks>
internal static class ActivityBaggage
{
    /// <summary>Adds the baggage to headers, except to those that exist.</summary>
    /// <param name="headers">The headers.</param>
    /// <param name="activity">The activity.</param>
    /// <param name="isValue">Whether the protocol allows a value, which is left out otherwise; null for all.</param>
    internal static void AddTo(HeaderCollection headers, Activity activity, Predicate<string>? isValue = null)
    {
        if (activity.Baggage.Any())
            DistributedContextPropagator.Current.Inject(activity, (headers, isValue), Add);
    }

    /// <summary>Sets the baggage that headers contain on an activity.</summary>
    /// <param name="headers">The headers.</param>
    /// <param name="activity">The activity.</param>
    internal static void Read(HeaderCollection headers, Activity activity)
    {
        foreach (var (name, value) in DistributedContextPropagator.Current.ExtractBaggage(headers, Get) ?? [])
            activity.SetBaggage(name, value);
    }

    private static void Add(object? carrier, string name, string value)
    {
        var (headers, isValue) = ((HeaderCollection, Predicate<string>?))carrier!;
        // The trace is the caller's.
        if (name is not ("traceparent" or "tracestate") && headers[name] is null && isValue?.Invoke(value) != false)
            headers[name] = value;
    }

    private static void Get(object? carrier, string name, out string? value, out IEnumerable<string>? values)
        => (value, values) = (((HeaderCollection)carrier!)[name], null);
}
