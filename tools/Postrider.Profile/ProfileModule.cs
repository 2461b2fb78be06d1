using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Postrider.Profile;

/// <summary>
/// Writes a profile in the form that the native compiler reads (<c>--mibc</c>): a .NET module whose methods are not code but lists.
/// The global method <c>AssemblyDictionary</c> names for each group the assemblies that its methods come from and the global method
/// that lists them; a list has for each method its token, the numbers of its counters between two words, and a <c>pop</c>.
/// Source: the description in MIbcProfileParser.cs of dotnet/runtime.
/// </summary>
public sealed class ProfileModule
{
    private readonly MetadataBuilder _metadata = new();
    private readonly ReferenceWriter _references;
    private readonly SortedDictionary<string, InstructionEncoder> _groups = new(StringComparer.Ordinal);
    private readonly AssemblyIndex _index;

    /// <summary>An empty profile.</summary>
    /// <param name="index">Where the names of samples are looked up.</param>
    public ProfileModule(AssemblyIndex index)
    {
        _index = index;
        _references = new ReferenceWriter(_metadata, index);
    }

    /// <summary>The methods that were added.</summary>
    public int Methods { get; private set; }

    /// <summary>Adds a method with its counters.</summary>
    /// <param name="method">The method; one with type parameters of its own, whose arguments the runtime does not record, is refused.</param>
    /// <param name="recorded">What was counted in it.</param>
    /// <returns>Whether it could be added: a type argument of its owner may have no name in the assemblies.</returns>
    public bool TryAdd(CompiledMethod method, RecordedMethod recorded)
    {
        if (method.IsGeneric || !_references.TryMethod(method, out var token))
            return false;
        var assemblies = _references.AssembliesOf(method.Owner);
        if (!_groups.TryGetValue(assemblies, out var list))
            _groups[assemblies] = list = new InstructionEncoder(new BlobBuilder());
        list.OpCode(ILOpCode.Ldtoken);
        list.Token(token);
        list.LoadString(_metadata.GetOrAddUserString("InstrumentationDataStart"));
        foreach (var counter in recorded.Counters)
            Write(list, counter);
        list.LoadString(_metadata.GetOrAddUserString("InstrumentationDataEnd"));
        list.OpCode(ILOpCode.Pop);
        Methods++;
        return true;
    }

    /// <summary>Writes the module.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>The bytes of the file; the same for the same methods in the same order.</returns>
    public byte[] ToBytes(string name)
    {
        var code = new BlobBuilder();
        var bodies = new MethodBodyStreamEncoder(code);
        var nothing = new BlobBuilder();
        new BlobEncoder(nothing).MethodSignature().Parameters(0, type => type.Void(), _ => { });
        var signature = _metadata.GetOrAddBlob(nothing);
        var dictionary = new InstructionEncoder(new BlobBuilder());
        MethodDefinitionHandle first = default;
        foreach (var (assemblies, list) in _groups)
        {
            var method = AddMethod($"Assemblies_{assemblies[..Math.Min(assemblies.Length, 200)]}_{_metadata.GetRowCount(TableIndex.MethodDef) + 1}", list);
            first = first.IsNil ? method : first;
            dictionary.LoadString(_metadata.GetOrAddUserString(assemblies));
            dictionary.OpCode(ILOpCode.Ldtoken);
            dictionary.Token(method);
            dictionary.OpCode(ILOpCode.Pop);
        }
        var last = AddMethod("AssemblyDictionary", dictionary);
        _metadata.AddTypeDefinition(default, default, _metadata.GetOrAddString("<Module>"), default, MetadataTokens.FieldDefinitionHandle(1), first.IsNil ? last : first);
        _metadata.AddAssembly(_metadata.GetOrAddString(name), new Version(1, 0, 0, 0), default, default, default, AssemblyHashAlgorithm.None);
        _metadata.AddModule(0, _metadata.GetOrAddString(name), _metadata.GetOrAddGuid(default), default, default);
        var file = new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(_metadata), code, deterministicIdProvider: _ => default);
        var bytes = new BlobBuilder();
        file.Serialize(bytes);
        return bytes.ToArray();

        MethodDefinitionHandle AddMethod(string methodName, InstructionEncoder list) => _metadata.AddMethodDefinition(
            MethodAttributes.Public | MethodAttributes.Static, MethodImplAttributes.IL, _metadata.GetOrAddString(methodName), signature,
            bodies.AddMethodBody(list, maxStack: 8), MetadataTokens.ParameterHandle(1));
    }

    /// <summary>Other kinds of counters, like the size of the set that a sample was taken from, are left out.</summary>
    private void Write(InstructionEncoder list, RecordedCounter counter)
    {
        switch (counter.Place.Kind)
        {
            case CounterKind.BlockCount or CounterKind.LongBlockCount or CounterKind.EdgeCount or CounterKind.LongEdgeCount:
                WritePlace(list, counter.Place);
                foreach (var number in counter.Numbers)
                    Write(list, number);
                break;
            case CounterKind.SeenTypes:
                WriteLikely(list, counter, CounterKind.LikelyType, name => _index.TryFindType(name, out var type) && _references.TryType(type, out var token) ? token : default);
                break;
            case CounterKind.SeenMethods:
                WriteLikely(list, counter, CounterKind.LikelyMethod, name => _index.TryFindMethod(name, out var method) && !method.IsGeneric && _references.TryMethod(method, out var token) ? token : default);
                break;
        }
    }

    /// <summary>Of a sample only the most frequent entry and its share: the compiler guards a call for one of them.</summary>
    private static void WriteLikely(InstructionEncoder list, RecordedCounter counter, int kind, Func<string, EntityHandle> find)
    {
        if (counter.Names.Count == 0)
            return;
        var most = counter.Names.GroupBy(name => name).OrderByDescending(group => group.Count()).ThenBy(group => group.Key is null).ThenBy(group => group.Key, StringComparer.Ordinal).First();
        if (most.Key is null || find(most.Key) is not { IsNil: false } token)
            return;
        var different = Math.Min(counter.Names.Distinct().Count(), 255);
        WritePlace(list, counter.Place with { Kind = kind, Count = 1, Other = (different << 8) | (100 * most.Count() / counter.Names.Count) });
        list.OpCode(ILOpCode.Ldtoken);
        list.Token(token);
    }

    /// <summary>The first number says that all four that follow are written.</summary>
    private static void WritePlace(InstructionEncoder list, CounterPlace place)
    {
        const int AllFour = 0xF;
        list.LoadConstantI4(AllFour);
        list.LoadConstantI4(place.Offset);
        list.LoadConstantI4(place.Kind);
        list.LoadConstantI4(place.Count);
        list.LoadConstantI4(place.Other);
    }

    private static void Write(InstructionEncoder list, long number)
    {
        if (number is >= int.MinValue and <= int.MaxValue)
            list.LoadConstantI4((int)number);
        else
            list.LoadConstantI8(number);
    }
}
