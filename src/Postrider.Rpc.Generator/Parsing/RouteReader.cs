using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>Reads an operation's own path over HTTP.</summary>
internal static class RouteReader
{
    private static readonly (string Attribute, string Method)[] s_methods =
    [
        (RouteNames.Get, "GET"), (RouteNames.Post, "POST"), (RouteNames.Put, "PUT"), (RouteNames.Patch, "PATCH"), (RouteNames.Delete, "DELETE"),
    ];

    /// <summary>The route, or null if the operation has none or an invalid one: the diagnostics give the reason.</summary>
    /// <param name="method">The method.</param>
    /// <param name="service">The contract.</param>
    /// <param name="parameters">The method's parameters, as they were read.</param>
    /// <param name="wireName">The operation's name.</param>
    /// <param name="diagnostics">Receives the errors.</param>
    internal static RouteModel? Read(IMethodSymbol method, INamedTypeSymbol service, IReadOnlyList<ParameterModel> parameters, string wireName, List<DiagnosticInfo> diagnostics)
    {
        var found = Attributes(method, wireName, parameters);
        if (found.Count == 0)
        {
            var placed = method.Parameters.FirstOrDefault(p => p.GetAttributes().Any(a => IsPlace(a)));
            if (placed is not null)
                Reject($"parameter {placed.Name} is bound to a part of an HTTP request, but the method has no route: add [HttpGet(\"…\")] or another attribute of its kind");
            return null;
        }

        if (found.Count > 1)
            return Reject("it has two routes");
        var (verb, text, isWcf) = found[0];
        var prefix = SymbolNames.Attribute(service, RouteNames.Route)?.ConstructorArguments.FirstOrDefault().Value as string ?? "";
        if (!isWcf && prefix.Length > 0 && !text.StartsWith("/", System.StringComparison.Ordinal))
            text = $"{prefix.TrimEnd('/')}/{text}";
        if (Template.Read(text, isWcf, out var fault) is not { } template)
            return Reject(fault);

        var isReading = verb is "GET" or "DELETE" or "HEAD";
        var places = new List<PlacedModel>();
        for (var i = 0; i < parameters.Count; i++)
        {
            if (parameters[i].Role == ParameterRole.Items && isReading)
                return Reject($"a {verb} has no body that {parameters[i].WireName} could stream");
            if (parameters[i].Role != ParameterRole.Message)
                continue;
            var (place, name) = Place(method.Parameters[i], template, isReading);
            if (Placed(method.Parameters[i], parameters[i], place, name, out fault) is not { } known)
                return Reject(fault);
            if (place == "Path" && !template.Names.Contains(name))
                return Reject($"the template does not contain '{name}', to which {parameters[i].WireName} is bound");
            places.Add(known);
        }

        foreach (var name in template.Names.Concat(template.Query.Keys))
        {
            if (!places.Any(p => p.Place == "Path" && p.Name == name) && !parameters.Any(p => p.Role == ParameterRole.Message && template.Query.ContainsKey(name) && Same(p.WireName, name)))
                return Reject($"the template contains '{name}', which is not a parameter");
        }

        if (places.Where(p => p.Place.Length > 0).GroupBy(p => p.Place + "\n" + p.Name.ToLowerInvariant()).FirstOrDefault(g => g.Count() > 1) is { } twice)
            return Reject($"two parameters are bound to '{twice.First().Name}' in the {twice.First().Place.ToLowerInvariant()}");
        if (verb is "GET" or "HEAD" && places.FirstOrDefault(p => p.Place.Length == 0) is { } body)
            return Reject($"a {verb} has no body, to which {body.Name} would be bound: use [HttpPost]");
        return new(verb, template.Path, $"{verb} {template.Shape}", new(places));

        RouteModel? Reject(string why)
        {
            diagnostics.Add(new(DiagnosticDescriptors.WrongRoute, method, [SymbolNames.Display(method), why]));
            return null;
        }
    }

    /// <summary>Whether the attribute binds a parameter to a part of the request.</summary>
    private static bool IsPlace(AttributeData attribute)
        => attribute.AttributeClass?.ToDisplayString() is RouteNames.FromRoute or RouteNames.FromQuery or RouteNames.FromHeader or RouteNames.FromBody;

    private static List<(string Verb, string Template, bool IsWcf)> Attributes(IMethodSymbol method, string wireName, IReadOnlyList<ParameterModel> parameters)
    {
        var found = new List<(string Verb, string Template, bool IsWcf)>();
        foreach (var (attribute, verb) in s_methods)
        {
            if (SymbolNames.Attribute(method, attribute) is { } given)
                found.Add((verb, given.ConstructorArguments.FirstOrDefault().Value as string ?? "", false));
        }

        if (SymbolNames.Attribute(method, WcfNames.WebGet) is { } get)
        {
            // Without a template, WCF uses the operation's name and binds every parameter to the query.
            found.Add(("GET", SymbolNames.Argument(get, "UriTemplate") as string ?? wireName, true));
        }

        if (SymbolNames.Attribute(method, WcfNames.WebInvoke) is { } invoke)
            found.Add(((SymbolNames.Argument(invoke, "Method") as string ?? "POST").ToUpperInvariant(), SymbolNames.Argument(invoke, "UriTemplate") as string ?? wireName, true));
        return found;
    }

    private static (string Place, string Name) Place(IParameterSymbol parameter, Template template, bool isReading)
    {
        var attribute = parameter.GetAttributes().FirstOrDefault(IsPlace);
        var name = attribute?.ConstructorArguments.FirstOrDefault().Value as string ?? parameter.Name;
        switch (attribute?.AttributeClass?.ToDisplayString())
        {
            case RouteNames.FromRoute:
                return ("Path", template.Names.FirstOrDefault(n => Same(n, name)) ?? name);
            case RouteNames.FromQuery:
                return ("Query", name);
            case RouteNames.FromHeader:
                return ("Header", name);
            case RouteNames.FromBody:
                return ("", name);
        }

        return template.Names.FirstOrDefault(n => Same(n, name)) is { } inPath ? ("Path", inPath)
            : template.Query.TryGetValue(name, out var inQuery) ? ("Query", inQuery)
            : isReading && (TextForms.Of(parameter.Type) is not null || TextForms.OfList(parameter.Type) is not null) ? ("Query", name)
            : ("", name);
    }

    private static PlacedModel? Placed(IParameterSymbol parameter, ParameterModel model, string place, string name, out string fault)
    {
        fault = "";
        if (place.Length == 0)
            return new("", name, model.Type, "", "", false, "");
        var isNullable = parameter.Type.NullableAnnotation != NullableAnnotation.NotAnnotated && (parameter.Type.IsReferenceType || parameter.Type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T);
        if (place != "Path" && TextForms.OfList(parameter.Type) is { } list)
            return new(place, name, SymbolNames.Full(list.Item), list.Text, list.Read, false, isNullable || parameter.HasExplicitDefaultValue ? "true" : "false");
        if (TextForms.Of(parameter.Type) is not { } text)
        {
            fault = $"a {SymbolNames.Display(parameter.Type)} cannot be bound to the {place.ToLowerInvariant()}: {parameter.Name} belongs in the body";
            return null;
        }

        var isRequired = place == "Path" || !(isNullable || parameter.HasExplicitDefaultValue);
        return new(place, name, model.Type, text, "", isRequired, model.Default.Length > 0 && !isRequired ? model.Default : "default");
    }

    private static bool Same(string one, string other) => string.Equals(one, other, System.StringComparison.OrdinalIgnoreCase);
}
