using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>The indexes of a file store's full blocks: loaded on demand, released when memory is short.</summary>
/// <remarks>Not thread-safe, like its store.</remarks>
internal sealed class BlockIndexes(FileStore store)
{
    /// <summary>Loads the index of a full block.</summary>
    /// <exception cref="StoreException">The disk failed.</exception>
    public BlockIndex Load(FileBlock block)
    {
        var index = Read(block);
        block.Attach(index);
        store.Options.Memory.Add(index.Bytes);
        return index;
    }

    /// <summary>Releases the index of a block, if it is full.</summary>
    public void Unload(FileBlock block)
    {
        if (block.IsSealed)
        {
            store.Options.Memory.Add(-block.Unload());
        }
    }

    /// <summary>Releases indexes, least recently used first, until the budget of all stores is met.</summary>
    public void TrimCaches()
    {
        while (store.Options.Memory.IsOver)
        {
            FileBlock? oldest = null;
            foreach (var block in store.Blocks.Span)
            {
                var file = (FileBlock)block;
                if (file.IsSealed && file.IsLoaded && (oldest is null || file.UsedAt < oldest.UsedAt))
                {
                    oldest = file;
                }
            }

            if (oldest is null)
            {
                return;
            }

            Unload(oldest);
        }
    }

    private BlockIndex Read(FileBlock block)
    {
        var subjects = store.Subjects;
        int ToId(byte[] bytes, int at, int length) => subjects.TryFind(bytes.AsSpan(at, length), out var id) ? id : -1;
        try
        {
            if (BlockIndexFile.TryRead(store.Folder, block.Header, block.DataBytes, out var contents) && contents.Slots == block.Slots)
            {
                return contents.ToIndex(contents.MapSubjects(ToId));
            }

            store.Recovery.IndexesRebuilt++;
            return Scan(block);
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            var fault = DiskErrors.ToFault($"Cannot read block {block.Header.Number:x8} in {store.Folder.Path}", e);
            throw new StoreException(fault.Kind, fault.Message, e);
        }
    }

    private BlockIndex Scan(FileBlock block)
    {
        var bytes = block.ReadAll();
        var scanner = new BlockScanner(bytes, store.Files.Salt, block.First);
        var index = new BlockIndex(block.Slots);
        while (scanner.MoveNext())
        {
            var header = Record.ReadHeader(scanner.Record);
            if (header.Kind != RecordKind.Message || header.Sequence < block.First + (ulong)index.Count || header.Sequence >= block.Next)
            {
                continue;
            }

            while (block.First + (ulong)index.Count < header.Sequence)
            {
                index.Add(-1, -1, 0, 0);
            }

            var id = store.Subjects.TryFind(scanner.Record.Slice(Record.HeaderBytes, header.SubjectLength), out var known) ? known : -1;
            index.Add(scanner.Position, id, header.Back, header.Length | (header.HeadersLength > 0 ? BlockIndex.HasHeaders : 0));
        }

        while (index.Count < block.Slots)
        {
            index.Add(-1, -1, 0, 0);
        }

        return index;
    }
}
