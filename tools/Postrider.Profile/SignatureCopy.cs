using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Postrider.Profile;

/// <summary>Copies a signature from an assembly into a module, with the module's own references to the types. Source: ECMA-335, II.23.2.</summary>
internal sealed class SignatureCopy(CompiledAssembly assembly, ReferenceWriter references, BlobBuilder target)
{
    /// <summary>Copies the signature of a method.</summary>
    public void Method(BlobHandle signature)
    {
        var source = assembly.Metadata.GetBlobReader(signature);
        Method(ref source);
    }

    private void Method(ref BlobReader source)
    {
        var header = source.ReadSignatureHeader();
        target.WriteByte(header.RawValue);
        if (header.IsGeneric)
            Number(ref source);
        var parameters = Number(ref source);
        for (var i = 0; i <= parameters; i++)
            Type(ref source);
    }

    private void Type(ref BlobReader source)
    {
        var code = source.ReadCompressedInteger();
        target.WriteCompressedInteger(code);
        switch (code)
        {
            case (int)SignatureTypeCode.Pointer or (int)SignatureTypeCode.ByReference or (int)SignatureTypeCode.SZArray
                or (int)SignatureTypeCode.Pinned or (int)SignatureTypeCode.Sentinel:
                Type(ref source);
                break;
            case (int)SignatureTypeCode.RequiredModifier or (int)SignatureTypeCode.OptionalModifier:
                Token(ref source);
                Type(ref source);
                break;
            case (int)SignatureTypeKind.ValueType or (int)SignatureTypeKind.Class:
                Token(ref source);
                break;
            case (int)SignatureTypeCode.GenericTypeParameter or (int)SignatureTypeCode.GenericMethodParameter:
                Number(ref source);
                break;
            case (int)SignatureTypeCode.Array:
                Type(ref source);
                Number(ref source);
                for (var sizes = Number(ref source); sizes > 0; sizes--)
                    Number(ref source);
                for (var bounds = Number(ref source); bounds > 0; bounds--)
                    target.WriteCompressedSignedInteger(source.ReadCompressedSignedInteger());
                break;
            case (int)SignatureTypeCode.GenericTypeInstance:
                Type(ref source);
                for (var left = Number(ref source); left > 0; left--)
                    Type(ref source);
                break;
            case (int)SignatureTypeCode.FunctionPointer:
                Method(ref source);
                break;
        }
    }

    private void Token(ref BlobReader source)
    {
        var handle = source.ReadTypeHandle();
        EntityHandle copy = handle.Kind switch
        {
            HandleKind.TypeDefinition => references.Definition(assembly, (TypeDefinitionHandle)handle),
            HandleKind.TypeReference => references.Reference(assembly, (TypeReferenceHandle)handle),
            _ => Specification((TypeSpecificationHandle)handle),
        };
        target.WriteCompressedInteger(CodedIndex.TypeDefOrRefOrSpec(copy));
    }

    private TypeSpecificationHandle Specification(TypeSpecificationHandle handle)
    {
        var copy = new BlobBuilder();
        var source = assembly.Metadata.GetBlobReader(assembly.Metadata.GetTypeSpecification(handle).Signature);
        new SignatureCopy(assembly, references, copy).Type(ref source);
        return references.Constructed(copy);
    }

    private int Number(ref BlobReader source)
    {
        var number = source.ReadCompressedInteger();
        target.WriteCompressedInteger(number);
        return number;
    }
}
