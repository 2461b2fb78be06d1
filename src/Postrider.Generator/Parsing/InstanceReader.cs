using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Parsing;

/// <summary>Reads how instances of a class are created and how long they can live.</summary>
internal static class InstanceReader
{
    // Services of the platform that are singletons in every container, by their definitions.
    private static readonly HashSet<string> s_singletons =
    [
        "Microsoft.Extensions.Logging.ILogger<TCategoryName>",
        "Microsoft.Extensions.Logging.ILoggerFactory",
        "System.TimeProvider",
        "Microsoft.Extensions.Options.IOptions<TOptions>",
        "Microsoft.Extensions.Options.IOptionsMonitor<TOptions>",
        "Microsoft.Extensions.Configuration.IConfiguration",
        "Microsoft.Extensions.Hosting.IHostEnvironment",
        "Microsoft.Extensions.Hosting.IHostApplicationLifetime",
        "Microsoft.Extensions.Caching.Memory.IMemoryCache",
        "Microsoft.Extensions.DependencyInjection.IServiceScopeFactory",
        "System.Net.Http.IHttpClientFactory",
        "System.Diagnostics.Metrics.IMeterFactory",
        "Postrider.Dispatch.PipelineTable",
        "Postrider.DispatcherFactory",
    ];

    internal static InstanceModel Read(INamedTypeSymbol type, int attributeLifetime)
    {
        var constructor = Constructor(type);
        var arguments = new EquatableArray<ArgumentModel>((constructor?.Parameters ?? []).Select(p => Service(p)));
        var lifetime = attributeLifetime == 0 ? Infer(type, arguments) : (Lifetime)attributeLifetime;
        var disposable = type.AllInterfaces.Any(i => TypeNames.Definition(i) is "System.IDisposable" or "System.IAsyncDisposable");
        return new(Template(type), TypeNames.Display(type), arguments, lifetime, disposable);
    }

    /// <summary>Why generated code cannot create an instance, or null.</summary>
    internal static string? WhyNotMade(INamedTypeSymbol type)
        => Constructor(type) is not { } constructor
            ? "it has no constructor that generated code can call: it is private, or has a parameter that cannot be a service"
        : HasRequiredMembers(type) && TypeNames.Attribute(constructor, "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute") is null
            ? "it has required members that its constructor does not set; make them parameters"
        : null;

    // The constructor that the class marks, or else the one with the most parameters.
    private static IMethodSymbol? Constructor(INamedTypeSymbol type)
    {
        IMethodSymbol? longest = null;
        var several = false;
        foreach (var constructor in type.InstanceConstructors)
        {
            if (!CanBeCalled(constructor))
                continue;
            several = longest is not null;
            if (longest is null || constructor.Parameters.Length > longest.Parameters.Length)
                longest = constructor;
        }

        return several ? type.InstanceConstructors.FirstOrDefault(c => CanBeCalled(c) && IsNamed(c)) ?? longest : longest;

        static bool IsNamed(IMethodSymbol constructor)
            => TypeNames.Attribute(constructor, "Microsoft.Extensions.DependencyInjection.ActivatorUtilitiesConstructorAttribute") is not null;
    }

    private static bool CanBeCalled(IMethodSymbol constructor)
        => TypeNames.IsReachable(constructor) && !(constructor.Parameters.Length == 1 && constructor.IsImplicitlyDeclared)
            && constructor.Parameters.All(p => p.RefKind is not (RefKind.Ref or RefKind.Out) && !p.Type.IsRefLikeType && p.Type.TypeKind is not (TypeKind.Pointer or TypeKind.FunctionPointer));

    private static bool HasRequiredMembers(INamedTypeSymbol type)
    {
        for (var t = type; t is not null; t = t.BaseType)
        {
            if (t.GetMembers().Any(m => m is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true }))
                return true;
        }

        return false;
    }

    internal static ArgumentModel Service(IParameterSymbol parameter)
    {
        var type = parameter.Type;
        if (TypeNames.Definition(type) == "System.IServiceProvider")
            return ArgumentModel.Of(ArgumentKind.Provider);
        if (parameter.HasExplicitDefaultValue && type.IsValueType)
            return new(ArgumentKind.Service, TypeNames.Full(type), "", true, IsSingleton: true, Default(type, parameter.ExplicitDefaultValue), IsValue: true);

        var keyed = TypeNames.Attribute(parameter, "Microsoft.Extensions.DependencyInjection.FromKeyedServicesAttribute");
        var key = keyed is { ConstructorArguments.Length: 1 } ? Constant(keyed.ConstructorArguments[0]) : "";
        return new(
            ArgumentKind.Service,
            TemplateName(type),
            key,
            parameter.HasExplicitDefaultValue,
            key.Length == 0 && s_singletons.Contains(TypeNames.Definition(type)),
            parameter is { HasExplicitDefaultValue: true, ExplicitDefaultValue: string text } ? SymbolDisplay.FormatLiteral(text, quote: true) : "");
    }

    private static string Default(ITypeSymbol type, object? value) => value switch
    {
        null => $"default({TypeNames.Full(type)})",
        decimal number => number.ToString(CultureInfo.InvariantCulture) + "m",
        _ => $"({TypeNames.Full(type)})({Primitive(value)})",
    };

    // A key is compared with its type: 3 is not equal to (byte)3. The compiler's own text of a constant does not include the type, and its names
    // have other meanings inside generated code.
    private static string Constant(TypedConstant constant) => constant switch
    {
        { Kind: TypedConstantKind.Type, Value: ITypeSymbol type } => $"typeof({TypeNames.Full(type)})",
        { Kind: TypedConstantKind.Primitive or TypedConstantKind.Enum, Value: { } value } => $"({TypeNames.Full(constant.Type!)})({Primitive(value)})",
        _ => constant.ToCSharpString(),
    };

    private static string Primitive(object value) => value switch
    {
        double.NaN or float.NaN => "double.NaN",
        double.PositiveInfinity or float.PositiveInfinity => "double.PositiveInfinity",
        double.NegativeInfinity or float.NegativeInfinity => "double.NegativeInfinity",
        _ => SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false),
    };

    private static Lifetime Infer(INamedTypeSymbol type, EquatableArray<ArgumentModel> arguments)
    {
        if (arguments.Any(a => !a.IsSingleton))
            return Lifetime.Scoped;

        for (var t = type; t is not null && t.SpecialType != SpecialType.System_Object; t = t.BaseType)
        {
            foreach (var field in t.GetMembers().OfType<IFieldSymbol>())
            {
                // Parameters of primary constructors are not fields here: assigning to one is rare and caught by review.
                if (!field.IsStatic && !field.IsConst && !field.IsReadOnly)
                    return Lifetime.Transient;
            }
        }

        return Lifetime.Singleton;
    }

    /// <summary>A generic type's name with its own type parameters as <c>{0}</c>, <c>{1}</c>.</summary>
    internal static string Template(INamedTypeSymbol type)
    {
        if (!type.IsGenericType || !SymbolEqualityComparer.Default.Equals(type, type.OriginalDefinition))
            return TypeNames.Full(type);
        return TemplateName(type);
    }

    /// <summary>A type's name in which type parameters are written as <c>{n}</c>.</summary>
    internal static string TemplateName(ITypeSymbol type) => type switch
    {
        INamedTypeSymbol { IsGenericType: false } => TypeNames.Full(type),
        _ => GenericName(type),
    };

    private static string GenericName(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol parameter => "{" + parameter.Ordinal + "}",
        INamedTypeSymbol { IsGenericType: true, IsTupleType: false } named =>
            named.ConstructUnboundGenericType().ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat) is var unbound
            && unbound.LastIndexOf('<') is var open && open > 0
                ? unbound.Substring(0, open) + "<" + string.Join(", ", named.TypeArguments.Select(TemplateName)) + ">"
                : unbound,
        IArrayTypeSymbol { Rank: 1 } array => TemplateName(array.ElementType) + "[]",
        _ => TypeNames.Full(type),
    };
}
