using System.Diagnostics;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>The baggage of an activity as headers, in the form of <see cref="DistributedContextPropagator.Current"/>, and back.</summary>
/// <remarks>Source: W3C Baggage.</remarks>
internal static class TraceBaggage
{
    /// <summary>Adds the baggage of an activity to headers.</summary>
    /// <param name="activity">The activity; null for none.</param>
    /// <param name="headers">The other headers, which are not changed; those of the same name win. Null for none.</param>
    /// <returns><paramref name="headers"/> itself if there is no baggage.</returns>
    internal static Headers? AddTo(Headers? headers, Activity? activity)
    {
        if (activity is null || !activity.Baggage.Any())
            return headers;
        var baggage = new Headers();
        DistributedContextPropagator.Current.Inject(activity, baggage, static (carrier, name, value) =>
        {
            if (!IsTrace(name))
                ((Headers)carrier!).Add(name, value);
        });
        return Headers.Join(baggage, headers);
    }

    /// <summary>Sets the baggage that headers contain on an activity.</summary>
    internal static void Read(Headers headers, Activity activity)
    {
        var items = DistributedContextPropagator.Current.ExtractBaggage(headers, static (object? carrier, string name, out string? value, out IEnumerable<string>? values) =>
        {
            values = null;
            value = ((Headers)carrier!)[name];
        });
        if (items is null)
            return;
        foreach (var (name, value) in items)
            activity.SetBaggage(name, value);
    }

    private static bool IsTrace(string name)
        => string.Equals(name, HeaderNames.TraceParent, StringComparison.OrdinalIgnoreCase) || string.Equals(name, HeaderNames.TraceState, StringComparison.OrdinalIgnoreCase);
}
