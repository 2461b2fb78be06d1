using System.Reflection;
using Microsoft.Extensions.Logging;

namespace Postrider.UnitTests.Architecture;

/// <summary>Ids of log events are small, fixed and of one event each: filters and alerts are written for them.</summary>
public sealed class LogEventTests
{
    public static TheoryData<string> Assemblies
        => [.. SourceProject.All.Where(static project => project.IsLibrary && !project.Name.Contains("Generator", StringComparison.Ordinal)).Select(static project => project.Name)];

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void Every_event_of_an_assembly_has_an_id_of_its_own(string assembly)
    {
        var events = Assembly.Load(assembly).GetTypes()
            .SelectMany(static type => type.GetMethods(BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            .Select(static method => (Name: $"{method.DeclaringType!.Name}.{method.Name}", Message: method.GetCustomAttribute<LoggerMessageAttribute>()))
            .Where(static method => method.Message is not null)
            .Select(static method => (method.Name, method.Message!.EventId))
            .ToList();

        Findings.None(events.Where(static logged => logged.EventId is < 1 or > 9_999).Select(static logged => $"{logged.Name} has no id: give its LoggerMessage an EventId"));
        Findings.None(events.GroupBy(static logged => logged.EventId).Where(static group => group.Count() > 1).Select(static group => $"{group.Key} is the id of {string.Join(", ", group.Select(static logged => logged.Name))}"));
    }
}
