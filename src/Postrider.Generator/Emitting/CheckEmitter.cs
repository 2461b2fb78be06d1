using System.Collections.Generic;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the code with which a program that validates its handlers at start checks the container.</summary>
/// <remarks>Plain loops: most handlers have no dependencies, and then nothing is allocated for them.</remarks>
internal static class CheckEmitter
{
    internal static void Emit(SourceWriter source, ModuleModel module)
    {
        var lines = new List<string>();
        for (var i = 0; i < module.Entries.Count; i++)
            Add(lines, module.Entries[i]);
        for (var i = 0; i < module.CrossModule.Count; i++)
            Add(lines, module.CrossModule[i].Message.Message, module.CrossModule[i].Middleware);
        if (lines.Count == 0)
            return;

        using (source.Block("public override void CheckServices(_D::ServiceCheck check)"))
        {
            foreach (var line in lines)
                source.Line(line);
        }
    }

    private static void Add(List<string> lines, EntryModel entry)
    {
        for (var i = 0; i < entry.Handlers.Count; i++)
        {
            var handler = entry.Handlers[i];
            if (!handler.IsStatic)
                Add(lines, entry.Message, handler.Owner.Display, handler.Owner.Full, handler.Owner.Constructor, default);
            Add(lines, entry.Message, handler.Owner.Display, made: "", handler.Arguments, default);
        }

        Add(lines, entry.Message, entry.Middleware);
    }

    private static void Add(List<string> lines, TypeModel message, EquatableArray<AppliedMiddleware> middleware)
    {
        for (var i = 0; i < middleware.Count; i++)
        {
            var instance = middleware[i].Middleware.Instance;
            Add(lines, message, instance.Display, middleware[i].Full, instance.Constructor, middleware[i].Arguments);
        }
    }

    private static void Add(
        List<string> lines, TypeModel message, string owner, string made, EquatableArray<ArgumentModel> arguments, EquatableArray<string> typeArguments)
    {
        for (var i = 0; i < arguments.Count; i++)
        {
            if (arguments[i] is { Kind: ArgumentKind.Service, IsValue: false, IsOptional: false, Otherwise: "" } argument)
            {
                lines.Add($"check.Needs(typeof({message.Full}), {ModuleEmitter.Literal(owner)}, {(made.Length > 0 ? $"typeof({made})" : "null")}, "
                    + $"typeof({MiddlewareFit.Fill(argument.Type, typeArguments)}), {(argument.Key.Length > 0 ? argument.Key : "null")});");
            }
        }
    }
}
