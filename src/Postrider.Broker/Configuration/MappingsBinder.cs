using System.Globalization;
using Postrider.Broker.Accounts;

namespace Postrider.Broker.Configuration;

/// <summary>Reads <c>mappings</c>, an account's subject mappings.</summary>
internal sealed class MappingsBinder(ConfigReader reader)
{
    private const int MaxWeight = 100;

    /// <summary>Reads the mappings of one account.</summary>
    internal List<SubjectMappingOptions> Read(string key, ConfigValue block)
    {
        var mappings = new List<SubjectMappingOptions>();
        if (reader.Map(key, block) is not { } map) return mappings;
        foreach (var (source, value) in map)
        {
            if (BrokerOptionsValidator.SubjectProblem(source, allowQueue: false) is not null)
            {
                reader.Findings.Error(value.Position, $"Subject {GoQuote.Quote(source)} is not a valid subject");
                continue;
            }
            if (ReadDestinations(value) is not { } destinations) continue;
            var mapping = new SubjectMappingOptions { Source = source, Destinations = destinations };
            if (SubjectMappings.FindProblem(mapping) is { } problem)
                reader.Findings.Error(value.Position, $"Error adding mapping for {GoQuote.Quote(source)}{(value.Content is string to ? $" to {GoQuote.Quote(to)}" : "")} : {problem}");
            else
                mappings.Add(mapping);
        }
        return mappings;
    }

    private List<SubjectMappingDestination>? ReadDestinations(ConfigValue value)
    {
        if (value.Content is string subject) return [new SubjectMappingDestination(subject)];
        var destinations = new List<SubjectMappingDestination>();
        var isWhole = true;
        foreach (var entry in value.Content is List<ConfigValue> entries ? entries : [value])
        {
            if (entry.Content is not ConfigMap map)
            {
                reader.Findings.Error(entry.Position, "Expected an entry for the mapping destination");
                isWhole = false;
            }
            else if (!TryReadDestination(map, entry.Position, out var destination)) isWhole = false;
            // A destination that is limited to a cluster is not used outside of it.
            else if (destination is not null) destinations.Add(destination);
        }
        return isWhole ? destinations : null;
    }

    private bool TryReadDestination(ConfigMap map, ConfigPosition position, out SubjectMappingDestination? destination)
    {
        destination = null;
        string? subject = null;
        int? weight = null;
        var isOfCluster = false;
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "dest" or "destination" when value.Content is string text:
                    subject = text;
                    break;
                case "weight":
                    if (ReadWeight(value) is not { } percent) return false;
                    weight = percent;
                    break;
                case "cluster" when value.Content is string name:
                    isOfCluster = name.Length > 0;
                    break;
                case "dest" or "destination" or "cluster":
                    reader.WrongKind(key, value, "a string");
                    return false;
                default:
                    reader.Findings.Error(value.Position, $"Unknown field {GoQuote.Quote(key)} for mapping destination");
                    return false;
            }
        }
        if (weight is not { } share)
        {
            reader.Findings.Error(position, $"Missing weight for mapping destination {GoQuote.Quote(subject ?? "")}");
            return false;
        }
        if (!isOfCluster) destination = new SubjectMappingDestination(subject ?? "", share);
        return true;
    }

    private int? ReadWeight(ConfigValue value)
    {
        long weight;
        switch (value.Content)
        {
            case long number:
                weight = number;
                break;
            case string text when int.TryParse(text.EndsWith('%') ? text[..^1] : text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var parsed):
                weight = parsed;
                break;
            case string text:
                reader.Findings.Error(value.Position, $"Invalid weight {GoQuote.Quote(text.EndsWith('%') ? text[..^1] : text)} for mapping destination");
                return null;
            default:
                reader.Findings.Error(value.Position, $"Unknown entry type for weight of {value.KindName}");
                return null;
        }
        if (weight is >= 0 and <= MaxWeight) return (int)weight;
        reader.Findings.Error(value.Position, string.Create(CultureInfo.InvariantCulture, $"Invalid weight {weight} for mapping destination"));
        return null;
    }
}
