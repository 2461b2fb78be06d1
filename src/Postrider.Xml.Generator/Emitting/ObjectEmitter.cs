using System.Collections.Generic;
using System.Linq;
using System.Text;
using Postrider.Generators;
using Postrider.Xml.Generator.Model;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator.Emitting;

/// <summary>Writes the formatter of an object: one call a member.</summary>
internal static class ObjectEmitter
{
    private const string Elements = ContextEmitter.Elements;
    private const int BitsOfWord = 64;

    internal static void Emit(SourceWriter source, ObjectModel model)
    {
        source.Line();
        using (source.Block($"private readonly struct {model.Type.Formatter} : {Elements}IXmlFormatter<{model.Type.Type}>"))
        {
            Write(source, model);
            source.Line();
            Read(source, model);
            source.Line();
            Find(source, model);
            for (var i = 0; i < model.Members.Count; i++)
                Accessors(source, model, i);
            for (var i = 0; i < model.Callbacks.Count; i++)
                CallbackEmitter.Accessor(source, model, i);
        }
    }

    private static void Write(SourceWriter source, ObjectModel model)
    {
        using (source.Block($"public void Write(ref {Elements}ElementWriter writer, {model.Type.Type} value)"))
        {
            if (!model.IsValueType)
                source.Line("if (value is null) { writer.WriteNil(); return; }");
            foreach (var derived in model.Derived)
            {
                using (source.Block($"if (value.GetType() == typeof({derived.Type}))"))
                {
                    source.Line($"writer.WriteType({SymbolNames.Text(derived.Name)}u8, {SymbolNames.Text(derived.Namespace)}u8);");
                    source.Line($"default({derived.Formatter}).Write(ref writer, ({derived.Type})value);");
                    source.Line("return;");
                }
            }

            if (!model.IsValueType)
                source.Line($"if (value.GetType() != typeof({model.Type.Type})) {ContextEmitter.Library}Formatters.FormatterChecks.ThrowUnknownType(value.GetType(), typeof({model.Type.Type}));");
            CallbackEmitter.Call(source, model, CallbackMoment.Serializing, "value");
            source.Line($"var outer = writer.Enter({SymbolNames.Text(model.Type.Namespace)}u8);");
            for (var i = 0; i < model.Members.Count; i++)
                Write(source, model, i);
            source.Line("writer.Leave(outer);");
            CallbackEmitter.Call(source, model, CallbackMoment.Serialized, "value");
        }
    }

    private static void Write(SourceWriter source, ObjectModel model, int i)
    {
        var member = model.Members[i];
        var name = SymbolNames.Text(member.Element) + "u8";
        var value = member.IsHidden ? $"Get{i}({(model.IsValueType ? "ref " : "")}value)" : $"value.{member.Name}";
        var isOther = member.Namespace != model.Type.Namespace;
        if (member.OmitsDefault)
            source.Line($"if (!global::System.Collections.Generic.EqualityComparer<{member.Type.Type}>.Default.Equals({value}, default))");
        source.Line("{");
        source.Line(isOther ? $"    var outer{i} = writer.StartIn({name}, {SymbolNames.Text(member.Namespace)}u8);" : $"    writer.Start({name});");
        source.Line($"    default({member.Type.Formatter}).Write(ref writer, {value});");
        source.Line(isOther ? $"    writer.EndIn({name}, outer{i});" : $"    writer.End({name});");
        source.Line("}");
    }

    private static void Read(SourceWriter source, ObjectModel model)
    {
        using (source.Block($"public {model.Type.Type} Read(ref {Elements}ElementReader reader)"))
        {
            if (!model.IsValueType)
                source.Line("if (reader.TryReadNil()) return default;");
            if (model.Derived.Count > 0 || model.Making == Making.Never)
                ReadDerived(source, model);
            if (model.Making == Making.Never)
                return;

            var later = model.Members.Any(m => m.Setting is Setting.Argument or Setting.Initializer);
            for (var i = 0; later && i < model.Members.Count; i++)
            {
                if (model.Members[i].Setting != Setting.Never)
                    source.Line($"{model.Members[i].Type.Type} m{i} = default;");
            }

            if (!later)
            {
                source.Line(model.Making == Making.Empty ? $"var result = ({model.Type.Type})global::System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeof({model.Type.Type}));" : $"var result = new {model.Type.Type}();");
                CallbackEmitter.Call(source, model, CallbackMoment.Deserializing, "result");
            }

            for (var word = 0; word * BitsOfWord < model.Members.Count; word++)
                source.Line($"ulong seen{word} = 0;");
            source.Line("var element = reader.Enter();");
            ReadMembers(source, model, later);

            Require(source, model);
            if (later)
                Make(source, model);
            CallbackEmitter.Call(source, model, CallbackMoment.Deserialized, "result");
            source.Line("return result;");
        }
    }

    /// <summary>Reads members in their usual order without comparing names; any other order is resolved by name.</summary>
    private static void ReadMembers(SourceWriter source, ObjectModel model, bool later)
    {
        if (model.Members.Count == 0)
        {
            source.Line("while (reader.MoveToChild(element)) reader.Skip();");
            return;
        }

        source.Line($"var next = reader.TryMoveTo(element, {Expected(model, 0)}) ? 0 : reader.MoveToChild(element) ? Find(ref reader) : End;");
        using (source.Block("while (next != End)"))
        {
            using (source.Block("switch (next)"))
            {
                for (var i = 0; i < model.Members.Count; i++)
                {
                    var following = i + 1 < model.Members.Count ? $"if (reader.TryMoveTo(element, {Expected(model, i + 1)})) goto case {i + 1}; break;" : "break;";
                    source.Line($"case {i}: reader.CheckDuplicate(ref seen{i / BitsOfWord}, {i % BitsOfWord}); {Take(model, i, later)} {following}");
                }

                source.Line("default: reader.Skip(); break;");
            }

            source.Line("next = reader.MoveToChild(element) ? Find(ref reader) : End;");
        }
    }

    private static string Expected(ObjectModel model, int i) => $"{SymbolNames.Text(model.Members[i].Element)}u8, {SymbolNames.Text(model.Members[i].Namespace)}u8";

    private static void ReadDerived(SourceWriter source, ObjectModel model)
    {
        using (source.Block("if (reader.TryGetType(out var type, out var space))"))
        {
            foreach (var derived in model.Derived)
                source.Line($"if ({Is(derived)}) return default({derived.Formatter}).Read(ref reader);");
            if (model.Making == Making.Never)
                source.Line($"reader.RefuseType({SymbolNames.Text(model.Display)});");
            else
                source.Line($"if (!({Is(model.Type)})) reader.RefuseType({SymbolNames.Text(model.Display)});");
        }

        if (model.Making != Making.Never)
            return;
        source.Line($"reader.RefuseType({SymbolNames.Text(model.Display)});");
        source.Line("return default;");

        static string Is(TypeModel type)
            => $"global::System.MemoryExtensions.SequenceEqual(type, {SymbolNames.Text(type.Name)}u8) && global::System.MemoryExtensions.SequenceEqual(space, {SymbolNames.Text(type.Namespace)}u8)";
    }

    private static string Take(ObjectModel model, int i, bool later)
    {
        var member = model.Members[i];
        var value = $"default({member.Type.Formatter}).Read(ref reader)";
        return member.Setting == Setting.Never ? "reader.Skip();"
            : later ? $"m{i} = {value};"
            : Set(model, i, value);
    }

    private static void Require(SourceWriter source, ObjectModel model)
    {
        for (var word = 0; word * BitsOfWord < model.Members.Count; word++)
        {
            var members = model.Members.Skip(word * BitsOfWord).Take(BitsOfWord).ToList();
            var required = 0UL;
            for (var i = 0; i < members.Count; i++)
                required |= members[i].IsRequired ? 1UL << i : 0;
            if (required != 0)
                source.Line($"reader.Require(seen{word}, {required}UL, {SymbolNames.Text(model.Display)}, {SymbolNames.Text(string.Join(" ", members.Select(m => m.Element)))});");
        }
    }

    private static void Make(SourceWriter source, ObjectModel model)
    {
        var arguments = string.Join(", ", model.Parameters.Select(p => "m" + p));
        var initial = new List<string>();
        for (var i = 0; i < model.Members.Count; i++)
        {
            if (model.Members[i].Setting == Setting.Initializer)
                initial.Add($"{model.Members[i].Name} = m{i}");
        }

        source.Line($"var result = new {model.Type.Type}({arguments}){(initial.Count > 0 ? $" {{ {string.Join(", ", initial)} }}" : "")};");
        CallbackEmitter.Call(source, model, CallbackMoment.Deserializing, "result");

        // A missing member keeps the default value of the type.
        for (var i = 0; i < model.Members.Count; i++)
        {
            if (model.Members[i].Setting is Setting.Assignment or Setting.Accessor)
                source.Line($"if ((seen{i / BitsOfWord} & {1UL << (i % BitsOfWord)}UL) != 0) {Set(model, i, "m" + i)}");
        }
    }

    private static string Set(ObjectModel model, int i, string value)
    {
        var member = model.Members[i];
        var target = (model.IsValueType ? "ref " : "") + "result";
        return member.Setting != Setting.Accessor ? $"result.{member.Name} = {value};"
            : member.IsField ? $"Field{i}({target}) = {value};"
            : $"Set{i}({target}, {value});";
    }

    /// <summary>Finds the number of a member by its name: by length first, then by bytes.</summary>
    private static void Find(SourceWriter source, ObjectModel model)
    {
        if (model.Members.Count == 0)
            return;
        source.Line("private const int End = -2;");
        source.Line();
        using (source.Block($"private static int Find(ref {Elements}ElementReader reader)"))
        {
            source.Line("var name = reader.LocalName;");
            using (source.Block("switch (name.Length)"))
            {
                var names = model.Members.Select((m, i) => (m.Element, m.Namespace, Number: i, Length: Encoding.UTF8.GetByteCount(m.Element)));
                foreach (var group in names.GroupBy(n => n.Length).OrderBy(g => g.Key))
                {
                    source.Line($"case {group.Key}:");
                    foreach (var (element, space, number, _) in group)
                        source.Line($"    if (global::System.MemoryExtensions.SequenceEqual(name, {SymbolNames.Text(element)}u8) && reader.IsIn({SymbolNames.Text(space)}u8)) return {number};");
                    source.Line("    return -1;");
                }

                source.Line("default: return -1;");
            }
        }
    }

    private static void Accessors(SourceWriter source, ObjectModel model, int i)
    {
        const string Unsafe = "global::System.Runtime.CompilerServices.UnsafeAccessor";
        var member = model.Members[i];
        var name = member.Name.TrimStart('@');
        var target = $"{(model.IsValueType ? "ref " : "")}{member.Owner} target";
        if (member.IsField && (member.IsHidden || member.Setting == Setting.Accessor))
        {
            source.Line();
            source.Line($"[{Unsafe}({Unsafe}Kind.Field, Name = {SymbolNames.Text(name)})]");
            source.Line($"private static extern ref {member.Type.Type} Field{i}({target});");
            source.Line($"private static {member.Type.Type} Get{i}({target}) => Field{i}({(model.IsValueType ? "ref " : "")}target);");
            return;
        }

        if (member.IsHidden)
        {
            source.Line();
            source.Line($"[{Unsafe}({Unsafe}Kind.Method, Name = {SymbolNames.Text("get_" + name)})]");
            source.Line($"private static extern {member.Type.Type} Get{i}({target});");
        }

        if (member.Setting == Setting.Accessor)
        {
            source.Line();
            source.Line($"[{Unsafe}({Unsafe}Kind.Method, Name = {SymbolNames.Text("set_" + name)})]");
            source.Line($"private static extern void Set{i}({target}, {member.Type.Type} value);");
        }
    }
}
