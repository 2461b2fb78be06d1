using System.Linq;
using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>Decides whether a middleware applies to a message, and with which type arguments.</summary>
internal static class MiddlewareFit
{
    private const string AnyException = "global::System.Exception";
    private const string CompatUnit = "global::Postrider.Compat.MediatR.Unit";

    internal static AppliedMiddleware? Apply(MiddlewareModel middleware, HandlerModel handler)
        => Apply(middleware, handler.Kind, handler.Message, handler.Response, handler.ResponseBases);

    internal static AppliedMiddleware? Apply(MiddlewareModel middleware, ForeignMessageModel message)
        => Apply(middleware, message.Kind, message.Message, message.Response, message.ResponseBases);

    /// <summary>Replaces the placeholders of a name with type arguments.</summary>
    internal static string Fill(string template, System.Collections.Generic.IEnumerable<string?> arguments)
    {
        var i = 0;
        foreach (var argument in arguments)
            template = template.Replace(Hole(i++), argument);
        return template;
    }

    private static AppliedMiddleware? Apply(
        MiddlewareModel middleware, MessageKind kind, TypeModel message, string response, EquatableArray<string> responseBases)
    {
        if ((kind == MessageKind.Stream) != middleware.Shape.HasFlag(MiddlewareShape.Stream))
            return null;

        // Each handler of a notification is a call without a result. MediatR's exception handlers do not see them.
        if (kind == MessageKind.Notification)
        {
            if (middleware.IsCompat)
                return null;
            (response, responseBases) = (EntryModel.UnitType, EntryModel.UnitBases);
        }

        // MediatR's exception handlers receive its own Unit if there is no response.
        if (kind == MessageKind.Command && middleware.Shape.HasFlag(MiddlewareShape.CompatExceptionHandler))
            (response, responseBases) = (CompatUnit, new(EntryModel.UnitBases.Skip(1).Prepend(CompatUnit)));

        var arguments = new string?[middleware.Parameters.Count];
        if (!Bind(middleware.Request, message.Full, arguments)
            || (middleware.Response.Length > 0 && !Bind(middleware.Response, response, arguments)))
            return null;

        for (var i = 0; i < arguments.Length; i++)
        {
            var parameter = middleware.Parameters[i];
            if (middleware.Exception == Hole(i))
            {
                // Open for any exception: the widest type that its constraint allows.
                arguments[i] ??= parameter.Types.FirstOrDefault(t => t.StartsWith("global::", System.StringComparison.Ordinal) && !t.Contains("{")) ?? AnyException;
                continue;
            }

            if (arguments[i] is null)
                return null;

            var isRequest = middleware.Request == Hole(i);
            var bases = isRequest ? message.Bases : responseBases;
            if (parameter.Types.Any(t => !bases.Contains(Fill(t, arguments))))
                return null;
        }

        return new(middleware, Fill(middleware.Instance.Full, arguments), new(arguments.OfType<string>()));
    }

    private static bool Bind(string pattern, string actual, string?[] arguments)
    {
        for (var i = 0; i < arguments.Length; i++)
        {
            if (pattern != Hole(i))
                continue;
            arguments[i] ??= actual;
            return arguments[i] == actual;
        }

        return pattern == actual;
    }

    private static string Hole(int index) => "{" + index + "}";
}
