using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads middleware and hooks.</summary>
internal static class Middlewares
{
    // MediatR runs actions outside handlers and both outside behaviors; those of a base exception are outside those of
    // the exceptions derived from it, so that the nearest is called first. The depth of an exception's class is added.
    private const int CompatActionOrder = int.MinValue;
    private const int CompatHandlerOrder = int.MinValue + 1000;

    /// <summary>A model per message type that the class names, per exception type and per step.</summary>
    internal static IEnumerable<MiddlewareModel> Read(INamedTypeSymbol type, AttributeData? attribute)
    {
        if (type.IsUnboundGenericType)
            type = type.OriginalDefinition;
        if (type.IsAbstract || !TypeNames.IsReachable(type) || InstanceReader.WhyNotMade(type) is not null)
            yield break;

        var groups = type.AllInterfaces.Select(Contract).Where(c => c.Shape != MiddlewareShape.None)
            .GroupBy(c => (c.Request, c.Exception, c.IsCompat, c.Step)).ToList();
        if (groups.Count == 0)
            yield break;

        // A class of another project may define its lifetime itself.
        var own = TypeNames.Attribute(type, KnownNames.MiddlewareAttribute);
        var instance = InstanceReader.Read(type, TypeNames.Argument(attribute, "Lifetime", TypeNames.Argument(own, "Lifetime", 0)))
            with
        { IsShared = groups.Count > 1 };
        foreach (var group in groups)
        {
            var first = group.First();
            yield return new(
                instance,
                group.Aggregate(MiddlewareShape.None, (all, c) => all | c.Shape),
                group.Key.Request,
                group.Select(c => c.Response).FirstOrDefault(r => r.Length > 0) ?? "",
                group.Key.Exception,
                new(IsOpen(type) ? type.TypeParameters.Select(Parameter) : []),
                first.Order ?? TypeNames.Argument(attribute, "Order", TypeNames.Argument(own, "Order", 0)));
        }
    }

    /// <summary>MediatR's exception handlers and actions, which its users do not mark.</summary>
    internal static IEnumerable<MiddlewareModel> OfCompat(INamedTypeSymbol type) => Read(type, attribute: null).Where(m => m.IsCompat);

    private static ContractModel Contract(INamedTypeSymbol contract)
    {
        var shape = TypeNames.Definition(contract) switch
        {
            KnownNames.Middleware => MiddlewareShape.Middleware,
            KnownNames.ContextMiddleware => MiddlewareShape.ContextMiddleware,
            KnownNames.StreamMiddleware => MiddlewareShape.Stream,
            KnownNames.PreProcessor => MiddlewareShape.PreProcessor,
            KnownNames.PostProcessor => MiddlewareShape.PostProcessor,
            KnownNames.ExceptionHandler => MiddlewareShape.ExceptionHandler,
            KnownNames.ExceptionAction => MiddlewareShape.ExceptionAction,
            KnownNames.CompatExceptionHandler => MiddlewareShape.CompatExceptionHandler,
            KnownNames.CompatExceptionAction => MiddlewareShape.CompatExceptionAction,
            KnownNames.Before => MiddlewareShape.Before,
            KnownNames.After => MiddlewareShape.After,
            KnownNames.Finally => MiddlewareShape.Finally,
            _ => MiddlewareShape.None,
        };
        if (shape == MiddlewareShape.None)
            return default;

        var arguments = contract.TypeArguments;
        var hasException = (shape & MiddlewareShape.Exceptions) != MiddlewareShape.None;
        var responseAt = hasException && arguments.Length == 2 ? -1 : arguments.Length > 1 ? 1 : -1;
        return new(
            shape,
            InstanceReader.TemplateName(arguments[0]),
            responseAt < 0 ? "" : InstanceReader.TemplateName(arguments[responseAt]),
            hasException ? InstanceReader.TemplateName(arguments[arguments.Length - 1]) : "",
            shape switch
            {
                MiddlewareShape.CompatExceptionAction => CompatActionOrder + Depth(arguments[1]),
                MiddlewareShape.CompatExceptionHandler => CompatHandlerOrder + Depth(arguments[2]),
                _ => null,
            });
    }

    private static bool IsOpen(INamedTypeSymbol type) => SymbolEqualityComparer.Default.Equals(type, type.OriginalDefinition);

    private static int Depth(ITypeSymbol exception)
    {
        var depth = 0;
        for (var type = exception.BaseType; type is not null; type = type.BaseType)
            depth++;
        return depth;
    }

    internal static TypeParameterModel Parameter(ITypeParameterSymbol parameter) => new(new(Constraints(parameter)));

    private static IEnumerable<string> Constraints(ITypeParameterSymbol parameter)
    {
        foreach (var type in parameter.ConstraintTypes)
            yield return InstanceReader.TemplateName(type);
        if (parameter.HasReferenceTypeConstraint)
            yield return Model.Constraints.Class;
        if (parameter.HasUnmanagedTypeConstraint)
            yield return Model.Constraints.Unmanaged;
        else if (parameter.HasValueTypeConstraint)
            yield return Model.Constraints.Struct;
        else if (parameter.HasConstructorConstraint)
            yield return Model.Constraints.New;
    }

    private readonly struct ContractModel(MiddlewareShape shape, string request, string response, string exception, int? order)
    {
        internal MiddlewareShape Shape { get; } = shape;

        internal string Request { get; } = request;

        internal string Response { get; } = response;

        internal string Exception { get; } = exception;

        internal int? Order { get; } = order;

        internal bool IsCompat => Order is not null;

        // Contracts that share a step: hooks are called inline, steps around the rest are written around it, and a
        // sequence is not a response.
        internal MiddlewareShape Step
            => (Shape & MiddlewareShape.Hooks) != MiddlewareShape.None ? MiddlewareShape.Hooks
            : (Shape & MiddlewareShape.Around) != MiddlewareShape.None ? MiddlewareShape.Around
            : Shape;
    }
}
