using System.IO.MemoryMappedFiles;

namespace Postrider.Load.Holding;

/// <summary>A number in a file that one process adds to and another reads.</summary>
internal sealed unsafe class SharedCounter : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly long* _value;

    public SharedCounter(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.Open);
        _view = _file.CreateViewAccessor(0, sizeof(long));
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        _value = (long*)(start + _view.PointerOffset);
    }

    public long Value
    {
        get => Volatile.Read(ref *_value);
        set => Volatile.Write(ref *_value, value);
    }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }
}
