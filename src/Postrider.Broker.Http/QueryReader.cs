using System.Globalization;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Reads typed parameters from a query string; the first invalid one is the problem of the request.</summary>
/// <remarks>Not thread-safe; one per request. The texts are nats-server's.</remarks>
internal sealed class QueryReader(IQueryCollection query)
{
    /// <summary>The reason why the request is rejected; null if it is valid.</summary>
    internal string? Problem { get; private set; }

    internal string Text(string name) => query[name].FirstOrDefault() ?? "";

    internal bool Boolean(string name)
    {
        switch (Text(name))
        {
            case "" or "0" or "f" or "F" or "false" or "FALSE" or "False":
                return false;
            case "1" or "t" or "T" or "true" or "TRUE" or "True":
                return true;
            case var text:
                Problem ??= $"Error decoding boolean for '{name}': strconv.ParseBool: parsing \"{text}\": invalid syntax";
                return false;
        }
    }

    internal int Integer(string name)
    {
        var text = Text(name);
        if (text.Length == 0)
            return 0;
        if (long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
            return (int)Math.Clamp(number, int.MinValue, int.MaxValue);
        Problem ??= $"Error decoding int for '{name}': strconv.Atoi: parsing \"{text}\": {Reason(text)}";
        return 0;
    }

    internal ulong Unsigned(string name)
    {
        var text = Text(name);
        if (text.Length == 0 || ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out _))
            return text.Length == 0 ? 0 : ulong.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
        Problem ??= $"Error decoding uint64 for '{name}': strconv.ParseUint: parsing \"{text}\": {Reason(text, signed: false)}";
        return 0;
    }

    internal ConnectionFilter State()
    {
        var text = Text("state");
        switch (text.ToUpperInvariant())
        {
            case "" or "OPEN":
                return ConnectionFilter.Open;
            case "CLOSED":
                return ConnectionFilter.Closed;
            case "ANY" or "ALL":
                return ConnectionFilter.All;
            default:
                Problem ??= $"Error decoding state for {text}";
                return ConnectionFilter.Open;
        }
    }

    private static string Reason(string text, bool signed = true)
    {
        var digits = signed && text is ['-' or '+', ..] ? text.AsSpan(1) : text;
        return digits.IsEmpty || digits.ContainsAnyExceptInRange('0', '9') ? "invalid syntax" : "value out of range";
    }
}
